import CLibPQ
import Dispatch
import Synchronization

/// A connection to PostgreSQL, implemented as an actor whose calls are executed on one thread.
///
/// Calls are executed in the order in which they arrive. A blocking libpq call blocks only the
/// connection's thread. After an error, the connection remains usable unless ``isBroken`` is true.
public actor Connection {
  /// The thread on which the connection's calls are executed.
  package nonisolated let thread: ConnectionThread
  /// The executor that runs every call on the connection's thread.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    thread.asUnownedSerialExecutor()
  }

  var handle: ConnectionHandle
  private nonisolated let canceller = Mutex<Canceller?>(nil)
  /// The monotonic time in nanoseconds when the connection began to wait for a result, or 0 if it
  /// is not waiting.
  nonisolated let waitingSince = Atomic<UInt64>(0)
  /// The limit after which this client closed the connection because no result arrived, or nil.
  var silence: Duration?
  private nonisolated let lost = Atomic(true)
  /// The prepared statements, by the statement names on the server.
  var prepared: [String: Statement] = [:]
  /// The role for transactions, or nil for the login's role.
  private var role: String?
  /// The calls that make each transaction read-only or limit the duration of its statements.
  var limit: [Call<Void>] = []
  /// The first calls of the next round trip, such as BEGIN.
  var opening: [Call<Void>] = []
  /// Whether the transaction began with deferred calls.
  var hasDeferred = false
  /// The error from the round trip that sent the deferred calls, or nil.
  var deferredFailure: PostgresError?
  /// Whether the transaction was already committed by its body.
  private var isCommitted = false
  /// Whether the connection has its own server process, without a pooler.
  public private(set) var isDirect = false
  /// The server process of a direct connection, as in `pg_stat_activity`.
  public private(set) var backend: Backend
  /// Whether the server has rejected a write, because the server or the session is read-only.
  nonisolated let isReadOnly = Atomic(false)
  /// The server's notices at login, one line each.
  package private(set) var loginNotices: [String] = []
  /// The calls since ``startTrace()``, or nil if tracing is off.
  var traced: (from: Int, calls: [TracedCall])?
  /// The number of round trips so far.
  public internal(set) var roundTrips = 0
  /// The configuration with which the connection was opened.
  package nonisolated let configuration: ConnectionConfiguration

  private init(_ configuration: ConnectionConfiguration, on thread: ConnectionThread) {
    self.configuration = configuration
    self.thread = thread
    handle = ConnectionHandle()
    backend = Backend(pid: 0, start: nil)
  }

  /// Opens a connection and checks the settings that the client relies on.
  ///
  /// - Throws: ``PostgresError`` if the server is unreachable, rejects the login, or is too old, or
  ///   if the operating system rejects a thread for the connection (SQLSTATE 53000).
  public static func open(
    _ configuration: ConnectionConfiguration
  ) async throws(PostgresError) -> Connection {
    try await open(configuration, on: ConnectionThread(name: configuration.applicationName))
  }

  /// Opens a connection whose calls are executed on an existing thread.
  ///
  /// - Throws: the same errors as ``open(_:)``.
  package static func open(
    _ configuration: ConnectionConfiguration, on thread: ConnectionThread
  ) async throws(PostgresError) -> Connection {
    let connection = Connection(configuration, on: thread)
    guard thread.isStarted else {
      throw PostgresError(
        "53000",
        "the operating system refused a thread for the connection",
        hint: "End other programs, or allow more threads (TasksMax of a systemd unit, the pids "
          + "limit of a container). Then run the command again.")
    }
    try await connection.open()
    do throws(PostgresError) {
      try await configuration.whenOpened?(connection)
    } catch {
      await connection.close()
      throw error
    }
    return connection
  }

  private func open() throws(PostgresError) {
    defer { noteLoss() }
    handle = try ConnectionHandle.open(configuration, notices: &loginNotices)
    limit = configuration.limits
    let created = Canceller(handle.pointer)
    canceller.withLock { $0 = created }
    let version = PQserverVersion(handle.pointer)
    guard version >= 150_000 else {
      throw PostgresError(
        .featureNotSupported,
        "the server is PostgreSQL \(version / 10_000); Baton needs 15 or newer")
    }
    backend = try run(
      .row(.whoAmI) { (row) throws(PostgresError) in
        let (pid, start) = try row.decode(Int32.self, Timestamp?.self)
        return Backend(pid: pid, start: start)
      })
    // A pooler reports an invented process id, which differs from the id of the server process.
    isDirect = backend.pid == PQbackendPID(handle.pointer)
    if isDirect, !configuration.isDurable { try script(.relaxDurability) }
  }

  /// Whether the connection is permanently lost.
  ///
  /// Any thread can read the property. A lost connection is noticed by a call on the connection.
  public nonisolated var isBroken: Bool { lost.load(ordering: .acquiring) }

  /// Whether a caller that writes must open another connection.
  ///
  /// The value is true if the connection is lost, or after the server rejected a write as
  /// read-only. Another connection may reach a server that accepts writes, or may have another
  /// default.
  package nonisolated var mustBeReplaced: Bool {
    isBroken || isReadOnly.load(ordering: .acquiring)
  }

  /// Whether an idle connection can probably execute the next call.
  ///
  /// ``isBroken`` does not show yet that the server has ended an idle session. The server then sends
  /// a message before it closes the connection.
  package nonisolated var isReady: Bool {
    !mustBeReplaced && canceller.withLock { $0 }?.isSilent == true
  }

  /// Updates ``isBroken`` after libpq calls that can lose the connection.
  func noteLoss() { lost.store(handle.isLost, ordering: .releasing) }

  /// Whether the connection is waiting for a result.
  ///
  /// The property can be read on any thread.
  package nonisolated var isWaiting: Bool { waitingSince.load(ordering: .relaxed) != 0 }

  /// How long the connection has been waiting for the current result.
  ///
  /// The property can be read on any thread.
  package nonisolated var waited: Duration {
    let since = waitingSince.load(ordering: .relaxed)
    let now = DispatchTime.now().uptimeNanoseconds
    guard since != 0, now > since else { return .zero }
    return .nanoseconds(Int64(now - since))
  }

  /// Closes the connection's socket from any thread, so that a wait for a result ends with an
  /// error.
  package nonisolated func abort() { canceller.withLock { $0 }?.abort() }

  /// Closes the connection, so that all later calls fail.
  public func close() {
    canceller.withLock { $0 = nil }
    handle = ConnectionHandle()
    prepared = [:]
    noteLoss()
  }

  /// Requests, from any thread, the cancellation of the running statement, and waits at most 1 s.
  ///
  /// If the connection uses TLS, the method does not send a cancel request, because libpq 15 sends
  /// cancel requests unencrypted. Instead, the method shuts the connection's socket down, and the
  /// server rolls the transaction back.
  public nonisolated func cancel() {
    canceller.withLock { $0?.cancel() }
  }

  /// Executes a script of several statements without parameters, such as a SQL file.
  ///
  /// - Throws: the ``PostgresError`` from the first statement that fails.
  public func script(_ statement: Statement) throws(PostgresError) {
    try script(statement, for: CurrentTask())
  }

  /// Executes one call in one round trip, in the open transaction or in a separate transaction.
  @discardableResult
  public func run<Output>(_ call: Call<Output>) throws(PostgresError) -> Output {
    try pipeline(call)
  }

  /// Executes calls in one round trip and, if no transaction is open, in one transaction.
  ///
  /// - Throws: the first error. Calls after the failed call are not executed.
  @discardableResult
  public func pipeline<each Output: Sendable>(
    _ calls: repeat Call<each Output>
  ) throws(PostgresError) -> sending (repeat each Output) {
    try exchange(repeat each calls)
  }

  /// Executes any number of calls of the same type, with one round trip per hundred calls.
  ///
  /// More than a hundred calls in one round trip could fill both socket buffers, and the client and
  /// the server would wait for each other. A round trip has at most 32 KB of parameters, unless one
  /// call has more.
  @discardableResult
  public func pipeline<Output>(_ calls: [Call<Output>]) throws(PostgresError) -> [Output] {
    try pipeline(calls, for: CurrentTask())
  }

  // MARK: Transactions

  /// Begins a transaction with the next round trip.
  ///
  /// - Parameters:
  ///   - plansOnce: whether the server plans each statement only once per session.
  ///   - deferred: calls that are sent before the transaction's first call, in the same round trip.
  func begin(
    in schema: Schema, planning: Planning, plansOnce: Bool = false, as identity: Identity?,
    deferring deferred: [Call<Void>] = []
  ) {
    isCommitted = false
    hasDeferred = !deferred.isEmpty
    deferredFailure = nil
    let enter = plansOnce ? Statement.enterSchemaPlanningOnce : .enterSchema
    opening = [.run(.begin), .run(enter, schema.searchPath, planning.rawValue)]
    // The role is local to the transaction, because a pooler shares the session with other clients.
    if let role { opening.append(.run(.enterRole, role)) }
    opening += limit
    if let identity { opening.append(identity.begin(on: isDirect ? backend : nil)) }
    opening += deferred
  }

  /// Sets the role for later transactions, or uses the login's role if the argument is nil.
  public func act(as role: String?) { self.role = role }

  /// Commits the transaction if the transaction has begun or has deferred calls, and is not yet
  /// committed.
  func commit() throws(PostgresError) {
    guard opening.isEmpty || hasDeferred, !isCommitted else {
      opening = []
      return
    }
    try run(.commit)
  }

  /// Executes calls and COMMIT in one round trip.
  func commit<each Output: Sendable>(
    after calls: repeat Call<each Output>
  ) throws(PostgresError) -> sending (repeat each Output) {
    let outputs = try exchange(closing: [.commit], repeat each calls)
    isCommitted = true
    return outputs
  }

  /// Rolls back the open transaction.
  func rollBack() {
    opening = []
    let status = PQtransactionStatus(handle.pointer)
    guard status != PQTRANS_IDLE, status != PQTRANS_UNKNOWN else { return }
    do { try run(.run(.rollback)) } catch { close() }
  }
}
