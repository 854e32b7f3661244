#if HTTP
  /// A token that authenticates this program to a push service.
  ///
  /// Concurrent pushes share one token, which is used until it expires. If the service rejects a
  /// token, one new token replaces it.
  actor CachedToken {
    /// A token and the last time when the program uses it.
    struct Made: Sendable {
      let text: String
      let until: ContinuousClock.Instant
    }

    private let shortestUse: Duration
    private let make: @Sendable () async throws -> Made
    private var cached: (token: Made, madeAt: ContinuousClock.Instant)?
    private var making: Task<Made, any Error>?

    /// Creates a cache.
    ///
    /// - Parameters:
    ///   - shortestUse: how long a new token is used, even if the service rejects it. If this time
    ///     were zero and a service rejected every token, each push would create a new token. APNs
    ///     blocks senders that change their token often.
    ///   - make: makes a token.
    init(shortestUse: Duration, make: @escaping @Sendable () async throws -> Made) {
      (self.shortestUse, self.make) = (shortestUse, make)
    }

    /// Returns the current token.
    ///
    /// - Parameter refused: a token that the service rejected. If the rejected token is the current
    ///   one and is older than `shortestUse`, the method makes a new token.
    func text(replacing refused: String? = nil) async throws -> String {
      if let cached, cached.token.until > .now {
        let isNew = cached.madeAt.duration(to: .now) < shortestUse
        if cached.token.text != refused || isNew { return cached.token.text }
      }
      // A waiting push must not set `making` to nil, because `making` may already contain a newer
      // task.
      if let making { return try await making.value.text }
      let task = Task { try await self.make() }
      making = task
      defer { making = nil }
      let made = try await task.value
      cached = (made, .now)
      return made.text
    }
  }
#endif
