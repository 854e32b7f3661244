package import Foundation
import Synchronization

/// A resource of a product's API whose changes an app follows.
///
/// If the server has a stream for the resource, the app reads it. When the stream ends, the app
/// reopens it and resumes after the last event. If the server has no streams, the app polls the
/// resource. While the app is polling, the server responds with status 304 until the resource
/// changes.
package struct FollowedResource<Value: Sendable, Failure: Error>: Sendable {
  /// How long a stream can receive no data before it is considered lost.
  ///
  /// By default, the server sends a heartbeat every 15 seconds.
  private static var longestSilence: Duration { .seconds(60) }

  private let connection: ServerConnection
  private let stream: ClientCall
  private let call: ClientCall
  private let value: @Sendable (Data) throws -> Value
  private let event: (@Sendable (Data) throws -> Value)?
  private let failure: @Sendable (any Error) -> (error: Failure, isFinal: Bool)

  /// Creates a value without sending a request.
  ///
  /// - Parameters:
  ///   - stream: the call that opens the resource's stream.
  ///   - call: the call that returns the resource.
  ///   - value: decodes the body of a response.
  ///   - event: decodes the data of an event, or nil if the resource must be requested after each
  ///     event.
  ///   - failure: converts an error, and decides whether it ends the updates.
  package init(
    _ connection: ServerConnection, stream: ClientCall, call: ClientCall,
    value: @escaping @Sendable (Data) throws -> Value,
    event: (@Sendable (Data) throws -> Value)?,
    failure: @escaping @Sendable (any Error) -> (error: Failure, isFinal: Bool)
  ) {
    (self.connection, self.stream, self.call) = (connection, stream, call)
    (self.value, self.event, self.failure) = (value, event, failure)
  }

  /// Returns the current value and each later value.
  ///
  /// A slow reader receives only the latest value. A temporary error is sent once. When the server
  /// responds again, the current value is sent again. A final error is the last element of the
  /// stream.
  package func updates() -> AsyncStream<Result<Value, Failure>> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let task = Task {
        await follow(Reader(continuation))
        continuation.finish()
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }

  /// Returns a stream that contains only an error, for a call that the client itself rejects.
  package static func refused(_ error: Failure) -> AsyncStream<Result<Value, Failure>> {
    AsyncStream { continuation in
      continuation.yield(.failure(error))
      continuation.finish()
    }
  }

  private func follow(_ reader: Reader) async {
    var isPolling = false
    while !Task.isCancelled {
      do {
        try await isPolling ? poll(reader) : read(reader)
      } catch let error as APIFailure where !isPolling && error.isUnknownPath {
        isPolling = true
        continue
      } catch is EndOfToken {
        // The token has expired, so the next request asks the app for a new token.
      } catch {
        guard !Task.isCancelled else { return }
        let (error, isFinal) = failure(error)
        reader.fail(error, isFinal: isFinal)
        guard !isFinal else { return }
      }
      let pause = isPolling ? nil : reader.input.withLock { $0.parser.retry }
      try? await Task.sleep(for: pause ?? connection.pause)
    }
  }

  /// Requests the resource, and sends the value unless the reader already has it.
  private func poll(_ reader: Reader) async throws {
    let response = try await connection.send(call, version: reader.version)
    guard response.status == 200, reader.isNew(response.body) else { return }
    reader.send(try value(response.body), version: response.headers["etag"])
  }

  /// Reads the stream, beginning after the last received event, until the stream ends.
  private func read(_ reader: Reader) async throws {
    if event == nil { try await poll(reader) }
    // After an error, the reader needs the current value even if it has not changed.
    let needsValue = reader.hasFailed
    let lastEventId = reader.input.withLock { input in
      let id = needsValue ? "" : input.parser.lastEventId
      input = (ServerEventParser(lastEventId: id), .now)
      return id
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      defer { group.cancelAll() }
      group.addTask {
        try await connection.stream(stream, after: lastEventId) { part in
          let events = try reader.input.withLock { input in
            input.heardAt = .now
            return try input.parser.parse(part)
          }
          try await receive(events, reader)
        }
      }
      group.addTask {
        while reader.input.withLock({ $0.heardAt.duration(to: .now) }) < Self.longestSilence {
          try await Task.sleep(for: Self.longestSilence / 4)
        }
        throw TransportTimeout()
      }
      try await group.next()
    }
  }

  private func receive(_ events: [ServerEvent], _ reader: Reader) async throws {
    var needsRequest = false
    for received in events {
      let data = Data(received.data.utf8)
      switch received.name {
      // The server ends a stream with an error, for example when a membership ends.
      case "end":
        let reason = APIFailure(status: 0, body: data)
        throw reason.code == "notAuthenticated" ? EndOfToken() : reason
      // The `late` event means that the server currently cannot read the database. The stream stays
      // open and delivers the next value later.
      case "late": reader.fail(failure(TransportTimeout()).error, isFinal: false)
      default:
        guard let event else {
          needsRequest = true
          continue
        }
        reader.send(try event(data), version: nil)
      }
    }
    if needsRequest { try await poll(reader) }
  }

  /// The reader of the updates, and its state.
  private final class Reader: Sendable {
    private let continuation: AsyncStream<Result<Value, Failure>>.Continuation
    private let state = Mutex<(version: String?, hasFailed: Bool)>((nil, false))
    /// The body of the last response, which is compared with that of the next one.
    private let last = Mutex<Data?>(nil)
    /// The parser of the stream, and the time when the last byte was received.
    let input = Mutex<(parser: ServerEventParser, heardAt: ContinuousClock.Instant)>(
      (ServerEventParser(), .now))

    init(_ continuation: AsyncStream<Result<Value, Failure>>.Continuation) {
      self.continuation = continuation
    }

    /// The version of the last value, or nil if the reader needs the current value.
    var version: String? { state.withLock { $0.version } }

    /// Returns whether a response differs from the last one, which the reader already has.
    func isNew(_ body: Data) -> Bool {
      last.withLock { last in
        defer { last = body }
        return last != body
      }
    }

    var hasFailed: Bool { state.withLock { $0.hasFailed } }

    func send(_ value: Value, version: String?) {
      state.withLock { $0 = (version, false) }
      continuation.yield(.success(value))
    }

    /// Sends an error, unless the last element was an error.
    ///
    /// After an error, the current value is sent again.
    func fail(_ error: Failure, isFinal: Bool) {
      last.withLock { $0 = nil }
      let hasFailed = state.withLock { state in
        defer { state = (nil, true) }
        return state.hasFailed
      }
      if isFinal || !hasFailed { continuation.yield(.failure(error)) }
    }
  }
}

/// The error that ends a stream whose token has expired.
private struct EndOfToken: Error {}
