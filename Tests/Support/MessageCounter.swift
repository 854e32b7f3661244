import Synchronization

/// Counts the messages of all connections through a proxy, and calls a function at one of the
/// messages.
package final class MessageCounter: Sendable {
  /// The kind of messages that are counted.
  package enum Side: String, Sendable, CaseIterable {
    /// Statements, before they are forwarded.
    ///
    /// The server does not receive the chosen statement.
    case statement
    /// Responses, before they are forwarded.
    ///
    /// The server has executed the statement, but the client does not receive the chosen response.
    case answer
  }

  private struct State {
    var heard: [String] = []
    var hit: String?
  }

  private let side: Side
  private let number: Int
  private let statement: String?
  private let body: @Sendable () -> Void
  private let state = Mutex(State())

  /// Calls `body` once, on the proxy's thread, before the message with the given number is
  /// forwarded.
  ///
  /// - Parameters:
  ///   - number: the number of the message over all connections, starting at 1. With `.max`,
  ///     messages are only counted.
  ///   - statement: the statement whose messages are counted, or nil to count all messages.
  package init(
    _ side: Side, number: Int, of statement: String? = nil, _ body: @escaping @Sendable () -> Void
  ) {
    self.side = side
    self.number = number
    self.statement = statement
    self.body = body
  }

  /// The statement at which the function was called, or nil if the function has not been called
  /// yet.
  package var hit: String? { state.withLock { $0.hit } }

  /// The statements that were counted so far, in order.
  package var heard: [String] { state.withLock { $0.heard } }

  /// Returns whether the function was called for the message.
  ///
  /// If the function was called, the message is not forwarded.
  func isHit(_ side: Side, _ name: String) -> Bool {
    guard side == self.side, statement == nil || name == statement else { return false }
    let isHit = state.withLock { state in
      guard state.hit == nil else { return false }
      state.heard.append(name)
      guard state.heard.count == number else { return false }
      state.hit = name
      return true
    }
    if isHit { body() }
    return isHit
  }
}
