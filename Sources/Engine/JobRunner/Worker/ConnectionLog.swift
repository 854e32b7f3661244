import BatonPostgres
import Logging
import Synchronization

/// Logs each fact about a process's connections only once, not once per connection.
///
/// Two facts are logged: the kind of connection (Unix socket, TLS, Kerberos or unencrypted TCP),
/// and the reason why the server rejects a login.
final class ConnectionLog: Sendable {
  private struct State {
    var channel: Channel?
    var refusal: String?
  }

  private let state = Mutex(State())
  private let logger: Logger

  init(_ logger: Logger) { self.logger = logger }

  /// Records that a connection was opened.
  func opened(_ channel: Channel) {
    let (last, wasRefused) = state.withLock { state in
      defer { state = State(channel: channel) }
      return (state.channel, state.refusal != nil)
    }
    if wasRefused { logger.notice("the server lets us in again") }
    guard last != channel else { return }
    // The worker itself logs its first connection.
    guard let last else { return logger.debug("connected \(channel)") }
    logger.notice("connected \(channel) from now on, until now \(last)")
  }

  /// Records that a connection could not be opened.
  ///
  /// An unreachable server is not logged on every connection attempt. A rejected login is logged
  /// once, because an operator must fix the cause.
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
