#if HTTP
  import BatonPostgres
  import JWTKit

  /// The keys that sign and verify the access tokens of sessions.
  ///
  /// Each line of the file is `ID:KEY`. The first key signs tokens, and all keys verify tokens. The
  /// file is reread every ten seconds, so a new key needs no restart.
  actor SessionKeys {
    /// The keys of one version of the file.
    struct KeySet: Sendable {
      /// The id of the key that signs tokens.
      let first: JWKIdentifier
      let all: JWTKeyCollection
    }

    /// A line of the file with the session keys.
    private struct Line: Equatable, Sendable {
      let id: String
      let key: String
    }

    private static let longestUse = Duration.seconds(10)
    private static let shortestKey = 32

    private let file: PasswordFile
    private var lines: [Line]
    private var readAt = ContinuousClock.now
    private var keys: KeySet?

    /// Reads the keys.
    ///
    /// - Throws: `PostgresError` if the file is unusable.
    init(_ file: PasswordFile) throws(PostgresError) {
      self.file = file
      lines = try Self.lines(in: file)
    }

    /// Returns the current keys.
    ///
    /// If the file is currently unusable, for example because another process is writing it, the
    /// last keys are used.
    func current() async -> KeySet {
      if readAt.duration(to: .now) >= Self.longestUse {
        readAt = .now
        if let new = try? Self.lines(in: file), new != lines { (lines, keys) = (new, nil) }
      }
      if let keys { return keys }
      let (own, all) = (lines, JWTKeyCollection())
      for line in own {
        await all.add(
          hmac: HMACKey(from: line.key), digestAlgorithm: .sha256,
          kid: JWKIdentifier(string: line.id))
      }
      let made = KeySet(first: JWKIdentifier(string: own[0].id), all: all)
      if own == lines { keys = made }
      return made
    }

    private static func lines(in file: PasswordFile) throws(PostgresError) -> [Line] {
      var lines: [Line] = []
      for secret in try file.readLines() {
        let parts = secret.text.split(separator: ":", omittingEmptySubsequences: false)
          .map(String.init)
        guard parts.count == 2, (1...64).contains(parts[0].utf8.count),
          parts[1].utf8.count >= shortestKey, !lines.contains(where: { $0.id == parts[0] })
        else {
          throw PostgresError(
            .invalidPassword, "a line of the session key file is not ID:KEY with an id of its own",
            hint: "Write one line per key: an id, a colon, and 64 random hexadecimal digits.",
            place: "\(file.path) (\(file.namedBy))")
        }
        lines.append(Line(id: parts[0], key: parts[1]))
      }
      return lines
    }
  }
#endif
