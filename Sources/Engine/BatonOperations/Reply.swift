/// A complete response, or a stream.
enum Reply: Sendable {
  /// A complete response.
  case response(Response)
  /// Events, until the client closes the connection.
  case events(AsyncStream<String>)
}
