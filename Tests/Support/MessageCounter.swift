import Synchronization

/// Counts what is said on all connections through a proxy, and lets something happen at one of it.
package final class MessageCounter: Sendable {
  /// What is counted.
  package enum Side: String, Sendable, CaseIterable {
    /// Statements, ahead of being passed on: the server never gets the one in question.
    case statement
    /// Answers, ahead of being passed back: the server has done what the client never learns.
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

  /// Lets `body` happen once, on the proxy's thread, ahead of passing the n-th message on.
  ///
  /// - Parameters:
  ///   - number: from 1, over all connections; `.max` only counts.
  ///   - statement: counts this one alone; nil: all.
  package init(
    _ side: Side, number: Int, of statement: String? = nil, _ body: @escaping @Sendable () -> Void
  ) {
    self.side = side
    self.number = number
    self.statement = statement
    self.body = body
  }

  /// The statement at which it happened.
  package var hit: String? { state.withLock { $0.hit } }

  /// The statements counted so far, in order.
  package var heard: [String] { state.withLock { $0.heard } }

  /// Whether it happened now: then the message is not passed on.
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
