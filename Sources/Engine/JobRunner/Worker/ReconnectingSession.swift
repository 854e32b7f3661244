import BatonPostgres
import Logging
import RunnerSQL
import Synchronization

/// A session that opens its connection at the first use, and again after the connection is lost.
final class ReconnectingSession: Sendable {
  private let configuration: ConnectionConfiguration
  private let schema: Schema
  private let current = Mutex<Session?>(nil)
  private let lastProcess = Mutex<Int32?>(nil)
  /// The log that all connections of a process share.
  private let log: ConnectionLog

  convenience init(_ configuration: ConnectionConfiguration, in schema: Schema, logger: Logger) {
    self.init(configuration, in: schema, log: ConnectionLog(logger))
  }

  private init(_ configuration: ConnectionConfiguration, in schema: Schema, log: ConnectionLog) {
    self.configuration = configuration
    self.schema = schema
    self.log = log
  }

  /// Returns the session, and opens its connection if necessary.
  func session() async throws(PostgresError) -> Session {
    let last = current.withLock { $0 }
    if let last, !last.connection.isBroken { return last }
    let session = Session(try await Connection.open(configuration), in: schema)
    log.opened(await session.connection.channel)
    if let last { await session.end(last.connection) }
    current.withLock { $0 = session }
    let process = await session.connection.backend.pid
    lastProcess.withLock { $0 = process }
    return session
  }

  /// The server process of the last opened connection.
  ///
  /// The property can be read while a statement runs.
  var process: Int32? { lastProcess.withLock { $0 } }

  /// Whether the session has no usable connection.
  ///
  /// If a transaction has just failed, the value shows whether the session's connection was lost.
  var isBroken: Bool { current.withLock { $0 }?.connection.isBroken ?? true }

  /// Whether the connection is open and is waiting for the result of a statement.
  var isWaiting: Bool { current.withLock { $0 }?.connection.isWaiting ?? false }

  /// Creates a session with a separate connection, which is opened at its first use.
  func another() -> ReconnectingSession {
    ReconnectingSession(configuration, in: schema, log: log)
  }

  /// Tries to reconnect, with increasing pauses, until the server can be reached.
  func reconnect(while condition: () -> Bool) async {
    var pause = ReconnectPause()
    var pauseOfRefused = ReconnectPause.afterRefusedLogins
    while condition() {
      do {
        _ = try await session()
        return
      } catch {
        log.failed(error)
        let isRefused = error.sqlState.isRefusedLogin
        try? await Task.sleep(for: isRefused ? pauseOfRefused.next() : pause.next())
      }
    }
  }

  /// Cancels the current statement of the connection.
  ///
  /// Any thread may call this method.
  func cancel() { current.withLock { $0 }?.connection.cancel() }

  func close() async {
    let session = current.withLock { session in
      defer { session = nil }
      return session
    }
    await session?.connection.close()
  }
}

extension Session {
  /// Ends the server process of a broken connection.
  ///
  /// Over TLS, the client cancels a statement by closing the socket of the connection. A server
  /// process that computes or waits does not notice the closed socket. If the server process were
  /// not terminated, it would execute the cancelled statement until the statement's timeout.
  /// Meanwhile, the locks of the cancelled statement would block the transaction that settles the
  /// claimed runs.
  fileprivate func end(_ broken: Connection) async {
    guard await broken.isDirect else { return }
    let process = await broken.backend
    _ = try? await atomically(.count(SQL.Workers.endBackend, process.pid, process.start))
  }
}
