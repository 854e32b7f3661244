#if HTTP
  import BatonOperations
  import BatonPostgres
  import PresenceSQL

  /// The dashboard page with the groups that have present users, split into several pages.
  struct PresencePage: DashboardPage {
    let name = "presence"
    let title = "Presence"

    /// The number of rows per page.
    ///
    /// The statement reads one additional row to find out whether another page exists.
    private static let most = 50

    private struct Line: Sendable {
      let id, name: String
      let present, members: Int32
      let changedAt: String
    }

    func content(_ request: PageRequest, reading session: Session) async throws -> PageContent {
      let lines = try await session.atomically(
        Call.rows(
          SQL.Dashboard.listPresence, request["begins"] ?? "", request["after"] ?? ""
        ) { (row) throws(PostgresError) in
          let (id, name, present, members, changedAt) = try row.decode(
            String.self, String.self, Int32.self, Int32.self, String.self)
          return Line(
            id: id, name: name, present: present, members: members, changedAt: changedAt)
        })
      var table = PageTable(
        "Presence", .text("Group"), .text("Name"), .text("Present"), .text("Since"))
      for line in lines.prefix(Self.most) {
        table.add(
          Markup(line.id), Markup(line.name), Markup("\(line.present) of \(line.members)"),
          Markup(line.changedAt))
      }
      return PageContent("Presence") {
        section("Presence") { table.markup(orElse: "No member is present anywhere.") }
        if lines.count > Self.most, let last = lines.prefix(Self.most).last {
          tag("p") { link("More", to: Link("presence", asking: ["after": last.id])) }
        }
      }
    }
  }
#endif
