#if HTTP
  import ChallengesSQL
  import BatonOperations
  import BatonPostgres

  /// The dashboard page with the list of groups, and the page with the boards of one group.
  ///
  /// Open pages are updated automatically when a board changes.
  struct BoardsPage: DashboardPage {
    let name = "boards"
    let title = "Boards"

    /// The maximum number of places per board on a page.
    private static let most: Int32 = 100

    private struct Group: Sendable {
      let id, name: String
      let members, most: Int32
      let isActive: Bool
    }

    fileprivate struct Row: Sendable {
      let type, state: String
      let position, rank: Int32
      let member: String
      let value: Int32
      let before: Int32?
      let at: Timestamp
    }

    func content(_ request: PageRequest, reading session: Session) async throws -> PageContent {
      guard let group = request.path.first else { return try await groups(request, session) }
      let weeks = try await session.atomically(
        Call.rows(SQL.Dashboard.listWeeksOfGroup, group) { (row) throws(PostgresError) in
          try row.decode(String.self)
        })
      guard let week = request["week"].flatMap({ weeks.contains($0) ? $0 : nil }) ?? weeks.first
      else {
        return PageContent("Boards of \(group)", status: 404) {
          section("Boards") {
            tag("p", [:], "There is no group \(group), or it has no board.")
            tag("p") { link("All groups", to: Link("boards")) }
          }
        }
      }
      let rows = try await session.atomically(
        Call.rows(SQL.Dashboard.listPlaces, group, week, Self.most, decode: Self.row))
      return PageContent("Boards of \(group)", hears: PageTopic(group, of: BoardFeed().name)) {
        tag("p", ["class": "actions"]) {
          link("Members", to: Link("members", group))
          weeks.map { link($0, to: Link("boards", group, asking: ["week": $0])) }
        }
        boards(week, rows)
      }
    }

    private static func row(_ row: BatonPostgres.Row) throws(PostgresError) -> Row {
      let (type, state, position, rank, member, value, before, at) = try row.decode(
        String.self, String.self, Int32.self, Int32.self, String.self, Int32.self, Int32?.self,
        Timestamp.self)
      return Row(
        type: type, state: state, position: position, rank: rank, member: member, value: value,
        before: before, at: at)
    }

    private func boards(_ week: String, _ rows: [Row]) -> Markup {
      guard !rows.isEmpty else {
        return section("Week of \(week)") { tag("p", [:], "No member has a rank yet.") }
      }
      let types = Dictionary(grouping: rows, by: \.type).sorted { $0.key < $1.key }
      return tag("div") {
        types.map { type, rows in
          section("\(type), week of \(week)") {
            rows.first.map { badge($0.state, $0.state == "open" ? .good : .plain) }
            published(rows)
            table(type, rows).markup(orElse: "No member has a rank yet.")
          }
        }
      }
    }

    private func published(_ rows: [Row]) -> Markup {
      guard let at = rows.map(\.at).max() else { return Markup() }
      return tag("p", ["class": "soft"]) {
        "Published "
        instant(at)
      }
    }

    private func table(_ type: String, _ rows: [Row]) -> PageTable {
      var table = PageTable(
        "Ranks of \(type)", .number("Rank"), .text("Member"), .number("Value"),
        .number("Previous week"))
      for row in rows {
        table.add(
          Markup("\(row.rank)"), Markup(row.member), Markup("\(row.value)"),
          Markup(row.before.map { "\($0)" } ?? "–"))
      }
      return table
    }

    // MARK: Groups

    private func groups(
      _ request: PageRequest, _ session: Session
    ) async throws -> PageContent {
      let groups = try await session.atomically(
        Call.rows(SQL.Dashboard.listGroups, request["group"] ?? "", request["behind"] ?? "") {
          (row) throws(PostgresError) in
          let (id, name, members, most, isActive) = try row.decode(
            String.self, String.self, Int32.self, Int32.self, Bool.self)
          return Group(id: id, name: name, members: members, most: most, isActive: isActive)
        })
      var table = PageTable(
        "Groups, by id", .text("Group"), .text("Name"), .number("Members"), .text("State"))
      for group in groups.prefix(50) {
        table.add(
          link(group.id, to: Link("boards", group.id)), Markup(group.name),
          link("\(group.members) of \(group.most)", to: Link("members", group.id)),
          group.isActive ? badge("active", .good) : badge("over"))
      }
      return PageContent("Boards") {
        tag("form", ["class": "filter", "method": "get", "action": "/boards", "role": "search"]) {
          tag("div") {
            tag("label", ["for": "group"], "Group's id begins with")
            tag("input", ["id": "group", "name": "group", "value": request["group"]])
          }
          tag("button", [:], "Show")
        }
        section("Groups") {
          table.markup(orElse: "There are none.")
          if groups.count > 50 {
            link(
              "Next page",
              to: Link(
                "boards", asking: ["group": request["group"], "behind": groups[49].id]))
          }
        }
      }
    }
  }
#endif
