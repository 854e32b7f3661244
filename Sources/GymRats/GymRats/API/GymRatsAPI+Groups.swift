#if HTTP
  import Challenges
  import ChallengesPostgres
  import ProductAPI

  extension GymRatsAPI {
    static let groupRoutes = [
      Route(
        "POST", "/v1/groups", "Creates a group, whose id is the Idempotency-Key.",
        calls: ["create_group"], key: .required, body: .newGroup, response: .object(.group)
      ) { api, call in
        let name = try call.read(NewGroup.self, as: Format.self).name
        return try .entity(
          try await api.repositories(call).groups.createGroup(
            id: call.key ?? "", name: name, ownerId: call.user))
      },
      Route(
        "GET", "/v1/groups/{group}", "Returns a group.", calls: ["get_group"],
        response: .object(.group)
      ) { api, call in try .entity(try await api.member(call).group(call.text("group"))) },
      Route(
        "PUT", "/v1/groups/{group}", "Changes the name of a group.", calls: ["update_group"],
        body: .newGroup, response: .object(.group)
      ) { api, call in
        try .entity(
          try await api.repositories(call).groups.updateGroup(
            call.text("group"), name: try call.read(NewGroup.self, as: Format.self).name))
      },
      Route(
        "DELETE", "/v1/groups/{group}", "Deletes a group for all members.", calls: ["delete_group"]
      ) { api, call in
        try await api.repositories(call).groups.deleteGroup(call.text("group"))
        return .done
      },
      Route(
        "GET", "/v1/groups/{group}/members", "Returns the members, longest membership first.",
        calls: ["get_members"],
        response: .list(.object(.member), most: LeaderboardSnapshot.mostEntries)
      ) { api, call in
        try .entity(try await api.repositories(call).groups.getMembers(groupId: call.text("group")))
      },
      Route(
        "DELETE", "/v1/groups/{group}/members/{user}", "Removes another member.",
        calls: ["remove_member"]
      ) { api, call in
        try await api.repositories(call).groups.removeMember(
          groupId: call.text("group"), userId: call.text("user"))
        return .done
      },
      Route(
        "POST", "/v1/groups/{group}/members/{user}/promote", "Makes a member an admin.",
        calls: ["promote"]
      ) { api, call in
        try await api.repositories(call).groups.promote(
          groupId: call.text("group"), userId: call.text("user"))
        return .done
      },
      Route(
        "POST", "/v1/groups/{group}/leave", "Leaves a group.", calls: ["leave_group"]
      ) { api, call in
        try await api.repositories(call).groups.leaveGroup(
          groupId: call.text("group"), userId: call.user)
        return .done
      },
      Route(
        "PUT", "/v1/groups/{group}/muted", "Turns notifications about rank changes off or on.",
        calls: ["mute_group"], body: .muted
      ) { api, call in
        try await api.repositories(call).groups.muteGroup(
          call.text("group"), isMuted: try call.read(Muted.self, as: Format.self).isMuted)
        return .done
      },
    ]

    private struct NewGroup: Decodable { let name: String }
    private struct Muted: Decodable { let isMuted: Bool }
  }
#endif
