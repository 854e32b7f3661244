import BatonPostgres
import Logging
import Synchronization

/// Logs what all connections of a process have in common once, not for each connection.
///
/// That is the channel to the server, and the reason why the server refuses a login.
final class ConnectionLog: Sendable {
  private struct State {
    var channel: Channel?
    var refusal: String?
  }

  private let state = Mutex(State())
  private let logger: Logger

  init(_ logger: Logger) { self.logger = logger }

  /// Call it when a connection was opened.
  func opened(_ channel: Channel) {
    let (last, wasRefused) = state.withLock { state in
      defer { state = State(channel: channel) }
      return (state.channel, state.refusal != nil)
    }
    if wasRefused { logger.notice("the server lets us in again") }
    guard last != channel else { return }
    // A worker reports its first connection itself.
    guard let last else { return logger.debug("connected \(channel)") }
    logger.notice("connected \(channel) from now on, until now \(last)")
  }

  /// Call it when no connection could be opened.
  ///
  /// An unreachable server is not reported again and again. A refused login is reported once, because an operator
  /// must fix it.
  func failed(_ error: PostgresError) {
    let isNews = state.withLock { state in
      guard !error.sqlState.isAbsence, state.refusal != error.message else { return false }
      state.refusal = error.message
      return true
    }
    guard isNews else { return logger.debug("the server cannot be reached: \(error)") }
    logger.warning("not let in by the server: \(error); trying again")
  }
}
