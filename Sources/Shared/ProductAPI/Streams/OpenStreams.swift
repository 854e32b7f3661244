#if HTTP
  import BatonLive
  import Synchronization

  /// A server's open streams and their limits.
  final class OpenStreams: Sendable {
    /// The maximum number of open streams per server.
    ///
    /// The server accepts more connections than streams, so streams cannot use all connections.
    static let most = 10_000

    private struct State {
      var sources: [Int: any EventSource] = [:]
      /// The number of open streams for each user.
      var counts: [ExactText: Int] = [:]
      /// The number of open streams, including streams that have not begun yet.
      var open = 0
      var lastID = 0
      var isClosed = false
    }

    private let state = Mutex(State())
    private let mostOfUser: Int

    init(ofUser most: Int) { mostOfUser = most }

    /// Reserves a stream for a user.
    ///
    /// The caller must call ``release(_:of:)`` when the stream has ended.
    ///
    /// - Returns: the number of the stream.
    /// - Throws: ``APIRefusal`` if too many streams are open, or if the server is stopping.
    func reserve(for user: String) throws(APIRefusal) -> Int {
      enum Outcome { case reserved(Int), tooMany, full }
      let user = ExactText(user)
      let outcome: Outcome = state.withLock { state in
        guard !state.isClosed, state.open < Self.most else { return .full }
        guard state.counts[user, default: 0] < mostOfUser else { return .tooMany }
        state.counts[user, default: 0] += 1
        state.open += 1
        state.lastID += 1
        APIMetrics.setStreams(state.open)
        return .reserved(state.lastID)
      }
      switch outcome {
      case .reserved(let id): return id
      case .tooMany: throw .tooManyStreams(mostOfUser)
      case .full: throw .unavailable("the server has no free stream", at: "the server")
      }
    }

    /// Stores the source of a reserved stream, or ends it if the server is stopping.
    func start(_ source: any EventSource, as id: Int) {
      let isClosed = state.withLock { state in
        if !state.isClosed { state.sources[id] = source }
        return state.isClosed
      }
      if isClosed { source.end() }
    }

    /// Releases a reserved stream.
    func release(_ id: Int, of user: String) {
      let user = ExactText(user)
      state.withLock { state in
        state.sources[id] = nil
        state.open -= 1
        let left = state.counts[user, default: 1] - 1
        state.counts[user] = left > 0 ? left : nil
        APIMetrics.setStreams(state.open)
      }
    }

    /// Ends all streams, and refuses new streams.
    func close() {
      let sources = state.withLock { state in
        state.isClosed = true
        return Array(state.sources.values)
      }
      // The sources are ended outside the lock, because `end` can call `release`, which acquires
      // the lock.
      for source in sources { source.end() }
    }
  }

  extension APIRefusal {
    fileprivate static func tooManyStreams(_ most: Int) -> APIRefusal {
      APIRefusal(
        429, "networkUnavailable", what: "The user already has \(most) open streams.",
        place: "this user", next: "Close a stream, and repeat the request.",
        headers: ["retry-after": "1"])
    }
  }
#endif
