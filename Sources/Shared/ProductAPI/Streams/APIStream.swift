#if HTTP
  import HummingbirdCore
  import NIOCore
  import Synchronization

  /// A response whose events are sent until the stream ends.
  package final class APIStream: Sendable {
    private struct State {
      var isOver = false
      /// The reason that is sent to the client when the source has ended.
      var reason: APIRefusal?
      var isReleased = false
    }

    private let source: any EventSource
    private let route: String
    private let access: StreamAccess
    private let refusal: @Sendable (any Error) -> APIRefusal
    private let release: @Sendable () -> Void
    private let state = Mutex(State())

    /// Creates the response for an event source that is open.
    ///
    /// - Parameters:
    ///   - refusal: converts an error from the source into a refusal.
    ///   - release: called once, after the response has ended.
    init(
      _ source: any EventSource, route: String, access: StreamAccess,
      refusal: @escaping @Sendable (any Error) -> APIRefusal,
      release: @escaping @Sendable () -> Void
    ) {
      (self.source, self.route, self.access) = (source, route, access)
      (self.refusal, self.release) = (refusal, release)
    }

    /// Returns the response body, which ends when the source, the token or the connection ends.
    func body(on channel: any Channel) -> ResponseBody {
      ResponseBody { [self] writer in
        channel.closeFuture.whenComplete { _ in self.source.end() }
        let expiry = access.remaining().map { remaining in
          channel.eventLoop.scheduleTask(in: .nanoseconds(Int64(remaining / .nanoseconds(1)))) {
            self.expire()
          }
        }
        defer { expiry?.cancel() }
        // When the connection ends, a browser waits 2,000 ms before it reconnects.
        try await writer.write(ByteBuffer(string: "retry: 2000\n\n"))
        while let event = await next() {
          try await writer.write(contentsOf: event.parts)
          APIMetrics.countEvent(route)
        }
        try await writer.finish(nil)
      }
    }

    /// Ends the stream when its response has ended.
    func close() {
      source.end()
      let isFirst = state.withLock { state in
        defer { state.isReleased = true }
        return !state.isReleased
      }
      if isFirst { release() }
    }

    /// Returns the next event, or nil after the last event.
    private func next() async -> APIEvent? {
      guard !state.withLock(\.isOver) else { return nil }
      do {
        if let event = try await source.next() { return event }
        return over(nil)
      } catch {
        return over(refusal(error))
      }
    }

    /// Returns the event with the reason why the stream ended, or nil if no reason is given.
    private func over(_ refusal: APIRefusal?) -> APIEvent? {
      let reason = state.withLock { state in
        state.isOver = true
        return refusal ?? state.reason
      }
      return reason.map { .end($0) }
    }

    private func expire() {
      let reason = access.expiry
      state.withLock { $0.reason = reason }
      source.end()
    }
  }
#endif
