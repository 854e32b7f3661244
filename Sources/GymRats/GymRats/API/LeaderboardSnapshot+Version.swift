#if HTTP
  import Challenges
  import SHA256

  extension LeaderboardSnapshot {
    /// Returns the version of the board for one viewer, for the header `ETag`.
    ///
    /// The version is a hash of all visible content except the time of reading. If a board also
    /// lists members without a workout, `rankVersion` alone does not change when a user joins. The
    /// viewer is part of the hash, because `currentUserEntry` differs between viewers.
    func version(for viewer: String) throws -> String {
      let content = Content(
        viewer: viewer, challenge: challenge, entries: entries, rankVersion: rankVersion)
      let hash = SHA256Digest.hex(of: Array(try WireFormat.data(of: content)))
      return "W/\"\(hash.prefix(32))\""
    }

    private struct Content: Encodable {
      let viewer: String
      let challenge: Challenge
      let entries: [LeaderboardEntry]
      let rankVersion: Int64
    }
  }
#endif
