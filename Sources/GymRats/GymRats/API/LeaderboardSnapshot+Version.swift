#if HTTP
  import Challenges
  import ProductAPI

  extension LeaderboardSnapshot {
    /// Returns the version of the board for one viewer, for the `ETag` header.
    ///
    /// The version is a hash of all visible content except the time when the board was read.
    /// `rankVersion` alone is not sufficient, because a new member without a workout can change the
    /// board but not `rankVersion`. The viewer is part of the hash, because `currentUserEntry`
    /// differs between viewers.
    func version(for viewer: String) throws -> String {
      let content = Content(challenge: challenge, entries: entries, rankVersion: rankVersion)
      return try APIReply.version(of: content, for: viewer, as: WireFormat.self)
    }

    private struct Content: Encodable {
      let challenge: Challenge
      let entries: [LeaderboardEntry]
      let rankVersion: Int64
    }
  }
#endif
