import BatonPostgres
import Logging
import RunnerSQL
import Synchronization

/// A session that opens its connection when first used, and reopens it if it is lost.
final class ReconnectingSession: Sendable {
  private let configuration: ConnectionConfiguration
  private let schema: Schema
  private let current = Mutex<Session?>(nil)
  private let lastThread = Mutex<ConnectionThread?>(nil)
  /// The server process of the last opened connection, or nil before the first connection is
  /// opened.
  private let lastBackend = Mutex<(backend: Connection.Backend, isDirect: Bool)?>(nil)
  /// The log shared by all of a process's connections.
  private let log: ConnectionLog
  /// The process's sessions, including this one.
  let registry: SessionRegistry

  convenience init(_ configuration: ConnectionConfiguration, in schema: Schema, logger: Logger) {
    self.init(configuration, in: schema, ConnectionLog(logger), SessionRegistry())
  }

  private init(
    _ configuration: ConnectionConfiguration, in schema: Schema, _ log: ConnectionLog,
    _ registry: SessionRegistry
  ) {
    self.configuration = configuration
    self.schema = schema
    self.log = log
    self.registry = registry
    registry.add(self)
  }

  deinit { registry.remove(ObjectIdentifier(self)) }

  /// The thread of all connections of this session.
  ///
  /// A task that uses the session should prefer this thread, so that statements need no switch
  /// between threads. If the operating system rejects the thread, the next access tries again.
  var thread: ConnectionThread {
    lastThread.withLock { last in
      if let last, last.isStarted { return last }
      let thread = ConnectionThread(name: configuration.applicationName)
      last = thread
      return thread
    }
  }

  /// The session's thread, or nil if the operating system rejects it.
  ///
  /// A task that prefers a rejected thread would wait forever.
  var startedThread: ConnectionThread? {
    let thread = thread
    return thread.isStarted ? thread : nil
  }

  /// Executes `body` on the session's thread, or on any thread if the session has none.
  func onThread<R, Failure: Error>(
    _ body: () async throws(Failure) -> R
  ) async throws(Failure) -> R {
    try await withTaskExecutorPreference(startedThread, operation: body)
  }

  /// Returns the session, and opens its connection if necessary.
  func session() async throws(PostgresError) -> Session {
    let last = current.withLock { $0 }
    if let last, !last.connection.mustBeReplaced { return last }
    // The role may have no further connection.
    if let last { await last.connection.close() }
    let session = Session(try await Connection.open(configuration, on: thread), in: schema)
    log.opened(await session.connection.channel)
    if last != nil, let lost = directProcess { await session.end(lost) }
    current.withLock { $0 = session }
    let (backend, isDirect) = await (session.connection.backend, session.connection.isDirect)
    lastBackend.withLock { $0 = (backend, isDirect) }
    return session
  }

  /// The server process of the last opened connection, or nil if there is none or if the connection
  /// was not direct.
  private var directProcess: Connection.Backend? {
    lastBackend.withLock { last in
      guard let last, last.isDirect else { return nil }
      return last.backend
    }
  }

  /// The server process of the last opened connection.
  ///
  /// The property can be read while a statement is running.
  var process: Int32? { lastBackend.withLock { $0 }?.backend.pid }

  /// Returns the direct connection and its server process if the connection has been waiting for a
  /// result for longer than `patience`.
  func waiting(
    for patience: Duration
  ) -> (connection: Connection, backend: Connection.Backend)? {
    guard let connection = current.withLock({ $0 })?.connection, connection.waited > patience,
      let process = directProcess
    else { return nil }
    return (connection, process)
  }

  /// Whether the session has no usable connection.
  ///
  /// If a transaction has just failed, the value shows whether the session's connection was lost.
  var isBroken: Bool { current.withLock { $0 }?.connection.isBroken ?? true }

  /// Whether the session has an idle connection that can probably execute the next statement.
  var isReady: Bool { current.withLock { $0 }?.connection.isReady == true }

  /// Whether the connection is open and is waiting for the result of a statement.
  var isWaiting: Bool { current.withLock { $0 }?.connection.isWaiting ?? false }

  /// Creates a session with a separate connection, which is opened when it is first used.
  ///
  /// - Parameters:
  ///   - longestAnswer: the maximum time to wait for each result, or nil for the limit of this
  ///     session.
  ///   - sharesThread: whether the connection uses the thread of this session. The sessions must
  ///     not be used at the same time, because each statement blocks the thread.
  func another(
    longestAnswer: Duration? = nil, sharesThread: Bool = false
  ) -> ReconnectingSession {
    var configuration = configuration
    configuration.longestAnswer = longestAnswer ?? configuration.longestAnswer
    let other = ReconnectingSession(configuration, in: schema, log, registry)
    if sharesThread { other.lastThread.withLock { [thread] in $0 = thread } }
    return other
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

  /// Cancels the connection's current statement.
  ///
  /// Any thread may call this method.
  func cancel() { current.withLock { $0 }?.connection.cancel() }

  /// Cancels the connection's current statement, and closes the connection's socket.
  ///
  /// The method does not wait for the connection's thread, which a job may block forever. Over TLS,
  /// the server process continues a cancelled statement (`Session.end`), so another connection ends
  /// the process.
  func abandon() async {
    let session = current.withLock { session in
      defer { session = nil }
      return session
    }
    guard let connection = session?.connection else { return }
    let wasWaiting = connection.isWaiting
    if wasWaiting { connection.cancel() }
    connection.abort()
    guard wasWaiting, let process = directProcess,
      let other = try? await Connection.open(configuration)
    else { return }
    await Session(other, in: schema).end(process)
    await other.close()
  }

  func close() async {
    let session = current.withLock { session in
      defer { session = nil }
      return session
    }
    // Closing a lost connection would wait for the login of the next connection on the same thread.
    guard let connection = session?.connection, !connection.isBroken else { return }
    await connection.close()
  }
}

extension Session {
  /// Ends the server process of a broken connection.
  ///
  /// Over TLS, the client cancels a statement by closing the connection's socket. A server process
  /// that is computing or waiting does not notice that the socket is closed. If the server process
  /// were not terminated, it would execute the cancelled statement until that statement timed out.
  /// Meanwhile, the locks of the cancelled statement would block the transaction that settles the
  /// claimed runs.
  fileprivate func end(_ process: Connection.Backend) async {
    _ = try? await atomically(.count(SQL.Workers.endBackend, process.pid, process.start))
  }
}
