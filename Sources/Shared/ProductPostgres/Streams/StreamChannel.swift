package import BatonLive
package import BatonPostgres

/// One feed's streams, for HTTP API clients.
package struct StreamChannel<Base: StreamableFeed>: Sendable {
  private let channel: LiveChannel<StreamFeed<Base>>

  /// Creates the channel for a feed.
  ///
  /// The caller must create the channel only once, and store it.
  ///
  /// - Parameters:
  ///   - ended: a function that finds ended sessions, or nil if the viewers have no sessions in the
  ///     database. The function gets the sessions' token hashes and returns the zero-based
  ///     positions of the ended sessions.
  ///   - refusal: the error that ends an ended session's stream.
  package init(
    _ feed: Base, of hub: LiveHub,
    ended: (@Sendable (_ hashes: [String], _ session: Session) async throws -> [Int])? = nil,
    refusal: @autoclosure () -> Base.Failure
  ) {
    let sessions = ended.map { StreamFeed<Base>.Sessions(ended: $0, refusal: refusal()) }
    channel = hub.channel(for: StreamFeed(feed, sessions: sessions))
  }

  /// Opens a stream of a topic for a viewer.
  package func open(_ topic: Base.Topic, as viewer: StreamViewer) -> LiveStream<Base.Value> {
    let (elements, end) = channel.open(topic, as: viewer)
    return LiveStream(elements: elements, end: end)
  }
}

/// An open stream.
///
/// A stream stores only its latest element, so a slow reader misses older elements.
package struct LiveStream<Value: Sendable>: Sendable {
  package let elements: AsyncStream<StreamElement<Value>>
  /// Ends the stream.
  package let end: @Sendable () -> Void

  /// Creates a stream.
  package init(elements: AsyncStream<StreamElement<Value>>, end: @escaping @Sendable () -> Void) {
    (self.elements, self.end) = (elements, end)
  }

  /// Returns a stream that contains only an error.
  package static func refused(_ error: any Error) -> LiveStream {
    let (elements, continuation) = AsyncStream<StreamElement<Value>>.makeStream()
    continuation.yield(.refused(error))
    continuation.finish()
    return LiveStream(elements: elements) {}
  }
}
