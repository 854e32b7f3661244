#if HTTP
  import Presence
  import PresencePostgres
  import ProductAPI

  extension WhosThereAPI {
    static let presenceRoutes = [
      Route(
        "POST", "/v1/presence-commands",
        "Checks the user in or out; requests with the same command id take effect once.",
        calls: ["check_in", "check_out"], body: .command, response: .object(.answer)
      ) { api, call in
        try .entity(
          try await api.database.presences(for: call.user).send(
            try call.read(PresenceCommand.self, as: Format.self)))
      },
      Route(
        "GET", "/v1/groups/{group}/presence", "Returns the users who are at a group's place now.",
        calls: ["presence_snapshot"], response: .object(.snapshot), isVersioned: true
      ) { api, call in
        let place = try await api.database.presences(for: call.user).presences(
          of: call.text("group"))
        return try .entity(place, version: try place.version(for: call.user))
      },
    ]
  }

  extension PresenceSnapshot {
    /// Returns the version of the place for one viewer, as the value of the `ETag` header.
    ///
    /// The version is a hash of all visible content except the time of the response. The summary's
    /// version is not used, because a presence can change before a worker updates the summary.
    fileprivate func version(for viewer: String) throws -> String {
      let content = Content(summary: summary, presences: presences, own: own)
      return try APIReply.version(of: content, for: viewer, as: WireFormat.self)
    }

    private struct Content: Encodable {
      let summary: GroupPresenceSummary
      let presences: [Presence]
      let own: Presence?
    }
  }
#endif
