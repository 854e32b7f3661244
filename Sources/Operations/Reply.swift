/// What a question gets.
enum Reply: Sendable {
  /// All of it at once.
  case answer(Answer)
  /// Events for as long as it listens.
  case events(AsyncStream<String>)
}
