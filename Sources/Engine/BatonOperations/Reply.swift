/// A complete response or a stream of events.
enum Reply: Sendable {
  /// A complete response.
  case response(Response)
  /// A stream of events, which ends when the client closes the connection.
  case events(AsyncStream<String>)
}
