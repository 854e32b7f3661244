#if HTTP
  package import ProductPostgres
  import Synchronization

  /// The events of a topic whose latest state replaces all earlier ones.
  ///
  /// The first event contains the current state, unless the client already has the current version.
  /// A slow client skips older states.
  package final class SnapshotEvents<Value: Sendable>: EventSource {
    private struct State {
      /// The version that the client has, or nil if the client must get the next state.
      var sent: String?
      /// The encoding of the last version sent, stored so that new streams of the topic can use it.
      var encoding: SharedEncoding?
      /// The element that was read before the response began.
      var first: StreamElement<Value>?
    }

    package typealias Encode =
      @Sendable (_ value: Value, _ version: String, _ encoding: SharedEncoding) throws -> APIEvent

    private let stream: LiveStream<Value>
    private let encode: Encode
    private let state: Mutex<State>

    /// Creates the events of a stream.
    ///
    /// - Parameter version: the id of the last event that the client received, or nil.
    package init(
      _ stream: LiveStream<Value>, after version: String?, encode: @escaping Encode
    ) {
      (self.stream, self.encode) = (stream, encode)
      state = Mutex(State(sent: version))
    }

    package func open() async throws {
      let first = try await stream.first()
      state.withLock { $0.first = first }
    }

    package func next() async throws -> APIEvent? {
      while let element = await nextElement() {
        switch element {
        case .current(let value, let version, let encoding):
          let isNew = state.withLock { state in
            defer { (state.sent, state.encoding) = (version, encoding) }
            return state.sent != version
          }
          if isNew { return try encode(value, version, encoding) }
        case .late:
          // After the `late` event, the next state is sent even if the client has already received
          // it.
          state.withLock { $0.sent = nil }
          return .late
        case .refused(let error): throw error
        }
      }
      return nil
    }

    package func end() { stream.end() }

    private func nextElement() async -> StreamElement<Value>? {
      let first = state.withLock { state in
        defer { state.first = nil }
        return state.first
      }
      if let first { return first }
      return await stream.next()
    }
  }

  extension LiveStream {
    /// Returns the next element, or nil if the stream has ended.
    package func next() async -> StreamElement<Value>? {
      var elements = elements.makeAsyncIterator()
      return await elements.next()
    }

    /// Returns the first element, which contains the state of the topic.
    ///
    /// - Throws: a product error if the viewer may not read the topic, or an ``APIRefusal`` if the
    ///   database does not respond or the server is stopping.
    package func first() async throws -> StreamElement<Value> {
      switch await next() {
      case .refused(let error): throw error
      case .current(let value, let version, let encoding):
        return .current(value, version: version, encoding: encoding)
      case .late, nil: throw APIRefusal.unavailable("the stream cannot begin", at: "the stream")
      }
    }
  }
#endif
