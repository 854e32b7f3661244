#if HTTP
  import Challenges
  import ChallengesPostgres
  import ProductAPI

  /// Invite codes are secret, so requests contain them in their bodies. Codes in paths would be
  /// logged by proxies.
  extension GymRatsAPI {
    static let inviteRoutes = [
      Route(
        "POST", "/v1/groups/{group}/invites",
        "Creates an invite; with a code of 32 hexadecimal digits, the request can be repeated.",
        calls: ["create_invite"], body: .newInvite, response: .object(.invite)
      ) { api, call in
        let code = try call.read(NewInvite.self, as: Format.self).code ?? .random()
        return try .entity(
          try await api.repositories(call).invites.createInvite(
            groupId: call.text("group"), code: code))
      },
      Route(
        "GET", "/v1/groups/{group}/invites", "Returns at most 100 valid invites, newest first.",
        calls: ["list_invites"], response: .list(.object(.listedInvite), most: 100)
      ) { api, call in
        try .entity(
          try await api.repositories(call).invites.listInvites(groupId: call.text("group")))
      },
      Route(
        "DELETE", "/v1/invites/{invite}", "Revokes an invite.", calls: ["revoke_invite"]
      ) { api, call in
        try await api.repositories(call).invites.revokeInvite(call.text("invite"))
        return .done
      },
      Route(
        "POST", "/v1/invite-codes/preview",
        "Returns the details of a group that a user may see before joining.",
        calls: ["preview_invite"], body: .code, response: .object(.preview)
      ) { api, call in
        try .entity(
          try await api.repositories(call).invites.previewInvite(
            try call.read(Code.self, as: Format.self).code))
      },
      Route(
        "POST", "/v1/invite-codes/join", "Joins the group of an invite.",
        calls: ["join_group", "get_group"], body: .code, response: .object(.group)
      ) { api, call in
        try .entity(
          try await api.repositories(call).invites.joinGroup(
            try call.read(Code.self, as: Format.self).code))
      },
    ]

    private struct NewInvite: Decodable { let code: InviteCode? }
    private struct Code: Decodable { let code: InviteCode }
  }
#endif
