#if HTTP
  import ChallengesSQL
  import BatonOperations
  import BatonPostgres

  /// The dashboard page with the members of a group.
  struct MembersPage: DashboardPage {
    let name = "members"
    let title = "Members"

    private struct Member: Sendable {
      let id, name, role: String
      let joined: Timestamp
      let left: Timestamp?
      let isMuted, shares: Bool
    }

    func content(_ request: PageRequest, reading session: Session) async throws -> PageContent {
      guard let group = request.path.first ?? request["group"] else {
        return PageContent("Members") { ask("members", "group", "Group's id") }
      }
      let members = try await session.atomically(
        Call.rows(SQL.Dashboard.listMembers, group) { (row) throws(PostgresError) in
          let (id, name, role, joined, left, isMuted, shares) = try row.decode(
            String.self, String.self, String.self, Timestamp.self, Timestamp?.self, Bool.self,
            Bool.self)
          return Member(
            id: id, name: name, role: role, joined: joined, left: left, isMuted: isMuted,
            shares: shares)
        })
      var table = PageTable(
        "Members of \(group)", .text("Member"), .text("Id"), .text("Role"), .text("Since"),
        .text("Until"), .text("Rank notifications"), .text("Shares workouts"))
      for member in members {
        table.add(
          Markup(member.name), link(member.id, to: Link("notifications", member.id)),
          Markup(member.role), instant(member.joined), instant(member.left),
          Markup(member.isMuted ? "no" : "yes"), Markup(member.shares ? "yes" : "no"))
      }
      return PageContent("Members of \(group)") {
        tag("p") { link("Boards", to: Link("boards", group)) }
        section("Members") {
          table.markup(orElse: "There is no group \(group), or it has no member.")
        }
      }
    }
  }

  /// The dashboard page with the notifications that a member can still see.
  struct NotificationsPage: DashboardPage {
    let name = "notifications"
    let title = "Notifications"

    private struct Told: Sendable {
      let at: Timestamp
      let type, group: String
      let isRead: Bool
      let message: String
    }

    func content(_ request: PageRequest, reading session: Session) async throws -> PageContent {
      guard let member = request.path.first ?? request["member"] else {
        return PageContent("Notifications") { ask("notifications", "member", "Member's id") }
      }
      let all = try await session.atomically(
        Call.rows(SQL.Dashboard.listNotifications, member) { (row) throws(PostgresError) in
          let (at, type, group, isRead, message) = try row.decode(
            Timestamp.self, String.self, String.self, Bool.self, String.self)
          return Told(at: at, type: type, group: group, isRead: isRead, message: message)
        })
      var table = PageTable(
        "Notifications, the newest first", .text("Time"), .text("Type"), .text("Group"),
        .text("Message"), .text("State"))
      for told in all {
        table.add(
          instant(told.at), Markup(told.type), link(told.group, to: Link("boards", told.group)),
          Markup(told.message), told.isRead ? badge("read") : badge("unread", .warning))
      }
      return PageContent("Notifications of \(member)") {
        section("Notifications") { table.markup(orElse: "No visible notifications.") }
      }
    }
  }

  /// Returns a form in which the operator enters an id.
  private func ask(_ page: String, _ field: String, _ title: String) -> Markup {
    section("Search") {
      tag("form", ["class": "filter", "method": "get", "action": "/\(page)"]) {
        tag("div") {
          tag("label", ["for": field], title)
          tag("input", ["id": field, "name": field, "required": ""])
        }
        tag("button", [:], "Show")
      }
    }
  }
#endif
