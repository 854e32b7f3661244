#if HTTP
  import BatonOperations
  import BatonPostgres
  import PresenceSQL

  /// The dashboard page with the list of groups, split into several pages.
  struct PlacesPage: DashboardPage {
    let name = "groups"
    let title = "Groups"

    /// The number of rows per page.
    ///
    /// The statement reads one additional row to find out whether another page exists.
    private static let most = 50

    private struct Group: Sendable {
      let id, name: String
      let members, most: Int32
      let isPublic, isActive: Bool
    }

    func content(_ request: PageRequest, reading session: Session) async throws -> PageContent {
      let groups = try await session.atomically(
        Call.rows(
          SQL.Dashboard.listGroups, request["begins"] ?? "", request["after"] ?? ""
        ) { (row) throws(PostgresError) in
          let (id, name, members, most, isPublic, isActive) = try row.decode(
            String.self, String.self, Int32.self, Int32.self, Bool.self, Bool.self)
          return Group(
            id: id, name: name, members: members, most: most, isPublic: isPublic,
            isActive: isActive)
        })
      var table = PageTable(
        "Groups", .text("Id"), .text("Name"), .text("Members"), .text("Access"),
        .text("State"))
      for group in groups.prefix(Self.most) {
        table.add(
          Markup(group.id), Markup(group.name), Markup("\(group.members) of \(group.most)"),
          Markup(group.isPublic ? "all users" : "users with a code"),
          group.isActive ? badge("active", .good) : badge("ended"))
      }
      return PageContent("Groups") {
        section("Groups") { table.markup(orElse: "No group exists yet.") }
        if groups.count > Self.most, let last = groups.prefix(Self.most).last {
          tag("p") { link("More", to: Link("groups", asking: ["after": last.id])) }
        }
      }
    }
  }
#endif
