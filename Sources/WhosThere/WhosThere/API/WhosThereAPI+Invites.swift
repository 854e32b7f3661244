#if HTTP
  import Presence
  import PresencePostgres
  import ProductAPI

  /// Invite codes are secret, so they are sent in request bodies. If a code were part of the path,
  /// proxies would log it.
  extension WhosThereAPI {
    static let inviteRoutes = [
      Route(
        "PUT", "/v1/groups/{group}/invite",
        "Returns the invite of a group, which is created if the group has no valid invite.",
        calls: ["current_invite"], response: .object(.invite)
      ) { api, call in
        try .entity(
          try await api.database.groups(for: call.user).currentInvite(groupId: call.text("group")))
      },
      Route(
        "POST", "/v1/groups/{group}/invite/rotate",
        "Replaces the invite of a group; a repeated request returns the same new invite.",
        calls: ["rotate_invite"], body: .rotation, response: .object(.invite)
      ) { api, call in
        let rotation = try call.read(Rotation.self, as: Format.self)
        return try .entity(
          try await api.member(call).rotateInvite(
            groupId: call.text("group"), replacing: rotation.replaces, seconds: rotation.lifetime))
      },
      Route(
        "POST", "/v1/invite-codes/redeem", "Joins the group of an invite.",
        calls: ["redeem_invite", "get_group"], body: .code, response: .object(.group)
      ) { api, call in
        try .entity(
          try await api.database.groups(for: call.user).redeemInvite(
            typed: try call.read(Code.self, as: Format.self).code))
      },
    ]

    private struct Rotation: Decodable {
      let replaces: InviteCode
      /// The lifetime of the new invite in seconds, or nil for the default lifetime.
      let lifetime: Int?
    }

    private struct Code: Decodable { let code: String }
  }
#endif
