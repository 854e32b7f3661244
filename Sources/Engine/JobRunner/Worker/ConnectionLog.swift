import BatonPostgres
import Logging
import Synchronization

/// What all connections of a process have in common, said once and not by each of them: how they reach the
/// server, and why it does not let them in.
final class ConnectionLog: Sendable {
  private struct State {
    var channel: Channel?
    var refusal: String?
  }

  private let state = Mutex(State())
  private let logger: Logger

  init(_ logger: Logger) { self.logger = logger }

  /// A connection is open.
  func opened(_ channel: Channel) {
    let (last, wasRefused) = state.withLock { state in
      defer { state = State(channel: channel) }
      return (state.channel, state.refusal != nil)
    }
    if wasRefused { logger.notice("the server lets us in again") }
    guard last != channel else { return }
    // The first is what a worker announces itself.
    guard let last else { return logger.debug("connected \(channel)") }
    logger.notice("connected \(channel) from now on, until now \(last)")
  }

  /// None could be opened: nobody has to know of a server that is away, again and again, but somebody has to
  /// change what it refuses.
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
