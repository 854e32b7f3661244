#if HTTP
  import Foundation
  import Presence
  import PresencePostgres
  import ProductAPI
  import ProductKit

  extension WhosThereAPI {
    static let groupRoutes = [
      Route(
        "POST", "/v1/groups", "Creates a group, whose id is the Idempotency-Key.",
        calls: ["create_group"], key: .required, body: .newGroup, response: .object(.group)
      ) { api, call in
        let group = try call.read(NewGroup.self, as: Format.self)
        return try .entity(
          try await api.database.groups(for: call.user).createGroup(
            id: call.key ?? "", name: group.name, shape: group.shape, isPublic: group.isPublic,
            timeZone: group.timeZone))
      },
      Route(
        "GET", "/v1/groups", "Returns the groups that the user is in, ordered by name.",
        calls: ["joined_groups"], response: .list(.object(.group), most: 10_000)
      ) { api, call in
        try .entity(try await api.database.groups(for: call.user).joinedGroups())
      },
      Route(
        "GET", "/v1/public-groups",
        "Returns a page of public groups, ordered by name; `next` is the `after` of the next page.",
        calls: ["public_groups"],
        query: ["after": .groupPosition, "limit": .integer(1...100)],
        response: .object(.groupPage)
      ) { api, call in
        let limit = call.number("limit") ?? 50
        let last = try call.optional("after").map { try GroupPosition($0) }
        let found = try await api.member(call).publicGroups(
          after: last.map { (name: $0.name, id: $0.id) }, limit: limit)
        return try .entity(GroupPage(found, limit: limit))
      },
      Route(
        "POST", "/v1/nearby-groups",
        "Returns public groups and the user's own groups near a place, nearest first.",
        calls: ["nearby_groups"], body: .nearby, response: .list(.object(.group), most: 100)
      ) { api, call in
        let search = try call.read(Nearby.self, as: Format.self)
        return try .entity(
          try await api.database.groups(for: call.user).nearbyGroups(
            around: search.place, radius: search.radius))
      },
      Route(
        "GET", "/v1/groups/{group}", "Returns a public group, or a group that the user is in.",
        calls: ["get_group"], response: .object(.group)
      ) { api, call in try .entity(try await api.member(call).group(call.text("group"))) },
      Route(
        "PUT", "/v1/groups/{group}", "Replaces all settings of a group.", calls: ["update_group"],
        body: .changedGroup, response: .object(.group)
      ) { api, call in
        let group = try call.read(ChangedGroup.self, as: Format.self)
        return try .entity(
          try await api.database.groups(for: call.user).updateGroup(
            LocationGroup(
              id: call.text("group"), name: group.name, shape: group.shape,
              isPublic: group.isPublic, timeZone: group.timeZone, memberCount: 0,
              maxMembers: group.maxMembers, createdAt: .distantPast)))
      },
      Route(
        "DELETE", "/v1/groups/{group}", "Deletes a group for all members.", calls: ["delete_group"]
      ) { api, call in
        try await api.database.groups(for: call.user).deleteGroup(call.text("group"))
        return .done
      },
      Route(
        "POST", "/v1/groups/{group}/join", "Joins a public group.", calls: ["join_public_group"],
        response: .object(.group)
      ) { api, call in
        try .entity(
          try await api.database.groups(for: call.user).joinPublicGroup(call.text("group")))
      },
      Route(
        "POST", "/v1/groups/{group}/leave", "Leaves a group.", calls: ["leave_group"]
      ) { api, call in
        try await api.database.groups(for: call.user).leaveGroup(call.text("group"))
        return .done
      },
      Route(
        "GET", "/v1/groups/{group}/members", "Returns the members, longest membership first.",
        calls: ["get_members"], response: .list(.object(.member), most: 1_000)
      ) { api, call in
        try .entity(
          try await api.database.groups(for: call.user).getMembers(groupId: call.text("group")))
      },
      Route(
        "DELETE", "/v1/groups/{group}/members/{user}", "Removes another member.",
        calls: ["remove_member"]
      ) { api, call in
        try await api.database.groups(for: call.user).removeMember(
          groupId: call.text("group"), userId: call.text("user"))
        return .done
      },
      Route(
        "POST", "/v1/groups/{group}/members/{user}/promote", "Makes a member an admin.",
        calls: ["promote"]
      ) { api, call in
        try await api.database.groups(for: call.user).promote(
          groupId: call.text("group"), userId: call.text("user"))
        return .done
      },
    ]

    private struct NewGroup: Decodable {
      let name: String
      let shape: GroupShape
      let timeZone: String
      let isPublic: Bool
    }

    private struct ChangedGroup: Decodable {
      let name: String
      let shape: GroupShape
      let timeZone: String
      let isPublic: Bool
      let maxMembers: Int
    }

    private struct Nearby: Decodable {
      let place: Coordinate
      let radius: Double
    }
  }

  /// A page of public groups.
  private struct GroupPage: Encodable {
    let groups: [LocationGroup]
    /// The position of the next page, or nil on the last page.
    let next: String?

    init(_ groups: [LocationGroup], limit: Int) throws {
      self.groups = groups
      next = try groups.lastOfFullPage(limit).map { try GroupPosition($0).text }
    }
  }
#endif
