#if HTTP
  import NIOCore
  package import ProductKit
  package import ProductPostgres

  /// The source of one stream's events.
  ///
  /// One task calls ``open()`` once, and then ``next()`` until the result is nil. The ``end()``
  /// method can be called from any thread.
  package protocol EventSource: Sendable {
    /// Waits until the database has checked that the user may read the topic.
    ///
    /// - Throws: a product error if the user may not read the topic, or an ``APIRefusal``.
    func open() async throws

    /// Returns the next event, or nil if the stream has ended.
    ///
    /// - Throws: a product error if the user may no longer read the topic.
    func next() async throws -> APIEvent?

    /// Ends the stream.
    func end()
  }

  /// A server-sent event.
  package struct APIEvent: Sendable {
    /// The parts of the event's text.
    ///
    /// Streams of one topic can share a part.
    let parts: [ByteBuffer]

    /// Creates an event from its lines.
    ///
    /// - Parameters:
    ///   - id: the id that a client sends to resume the stream, or nil for an event without an id.
    ///   - name: the type of the event, or nil for an event that contains the topic's data.
    ///   - json: the data on one line.
    package init(id: String? = nil, name: String? = nil, json: String) {
      let head = [id.map { "id: \($0)\n" }, name.map { "event: \($0)\n" }].compactMap { $0 }
      parts = [ByteBuffer(string: "\(head.joined())data: \(json)\n\n")]
    }

    private init(parts: [ByteBuffer]) { self.parts = parts }

    /// Creates an event with a JSON object that contains a viewer's fields and the fields that all
    /// viewers share.
    ///
    /// The shared fields are encoded once for all streams with this version of the topic.
    ///
    /// - Parameters:
    ///   - id: the version of the topic.
    ///   - own: the viewer's fields, at least one of which is required.
    ///   - shared: the shared fields, at least one of which is required.
    /// - Throws: `EncodingError`.
    package static func snapshot(
      id: String, own: some Encodable, shared: some Encodable, _ encoding: SharedEncoding,
      as format: (some EntityFormat).Type
    ) throws -> APIEvent {
      let rest = try encoding.value { () throws -> ByteBuffer in
        APIMetrics.countEncoding()
        // The viewer's fields come first, so the opening brace of the shared fields is omitted.
        var rest = ByteBuffer(string: ",")
        rest.writeBytes(try format.data(of: shared).dropFirst())
        rest.writeString("\n\n")
        return rest
      }
      var head = ByteBuffer(string: "id: \(id)\ndata: ")
      head.writeBytes(try format.data(of: own).dropLast())
      return APIEvent(parts: [head, rest])
    }

    /// The event that informs the client that the following events may be delayed.
    package static let late = APIEvent(name: "late", json: "{}")

    /// The last event, which contains the reason why the stream ended.
    static func end(_ refusal: APIRefusal) -> APIEvent {
      let body = refusal.reply.body ?? []
      return APIEvent(name: "end", json: String(decoding: body, as: UTF8.self))
    }
  }
#endif
