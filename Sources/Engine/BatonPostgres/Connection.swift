import CLibPQ
import Synchronization

/// A connection to PostgreSQL, implemented as an actor with its own thread.
///
/// Calls are executed in the order of their arrival. A blocking libpq call blocks only the
/// connection's thread. After an error, the connection remains usable unless ``isBroken`` is true.
public actor Connection {
  private nonisolated let thread: ConnectionThread
  /// The executor that runs every call on the connection's own thread.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    thread.asUnownedSerialExecutor()
  }

  var handle: ConnectionHandle
  private nonisolated let canceller = Mutex<Canceller?>(nil)
  private nonisolated let waiting = Atomic(false)
  /// The prepared statements, by the statement names on the server.
  private var prepared: [String: Statement] = [:]
  /// The role of transactions, or nil for the login's role.
  private var role: String?
  /// The calls that make each transaction read-only or limit its statements.
  private var limit: [Call<Void>] = []
  /// The first calls of the next round trip, such as BEGIN.
  private var opening: [Call<Void>] = []
  /// Whether the transaction was already committed by its body.
  private var isCommitted = false
  /// Whether the connection has its own server process, without a pooler.
  public private(set) var isDirect = false
  /// The server process of a direct connection, as in `pg_stat_activity`.
  public private(set) var backend: Backend
  /// The notices of the server at login, one line each.
  package private(set) var loginNotices: [String] = []
  /// The calls since ``startTrace()``, or nil if tracing is off.
  var traced: (from: Int, calls: [TracedCall])?
  /// The number of round trips so far.
  public private(set) var roundTrips = 0
  /// The configuration with which the connection was opened.
  package nonisolated let configuration: ConnectionConfiguration

  private init(_ configuration: ConnectionConfiguration) {
    self.configuration = configuration
    thread = ConnectionThread(name: configuration.applicationName)
    handle = ConnectionHandle()
    backend = Backend(pid: 0, start: nil)
  }

  /// Opens a connection and checks the settings that the client relies on.
  ///
  /// - Throws: ``PostgresError`` if the server is unreachable, rejects the login, or is too old.
  public static func open(
    _ configuration: ConnectionConfiguration
  ) async throws(PostgresError) -> Connection {
    let connection = Connection(configuration)
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
  public var isBroken: Bool { PQstatus(handle.pointer) != CONNECTION_OK }

  /// Whether the connection is waiting for a result.
  ///
  /// The property can be read on any thread.
  package nonisolated var isWaiting: Bool { waiting.load(ordering: .relaxed) }

  /// Closes the connection, so that all later calls fail.
  public func close() {
    canceller.withLock { $0 = nil }
    handle = ConnectionHandle()
    prepared = [:]
  }

  /// Requests, from any thread, the cancellation of the running statement, and waits at most 1 s.
  ///
  /// Over TLS, the socket is shut down instead, because libpq 15 sends cancel requests in clear
  /// text. When the socket is closed, the server rolls the transaction back.
  public nonisolated func cancel() {
    canceller.withLock { $0?.cancel() }
  }

  /// Executes a script of several statements without parameters, such as a SQL file.
  ///
  /// - Throws: the ``PostgresError`` of the first statement that fails.
  public func script(_ statement: Statement) throws(PostgresError) {
    try script(statement, for: CurrentTask())
  }

  func script(_ statement: Statement, for task: CurrentTask) throws(PostgresError) {
    try task.checkCancellation()
    roundTrips += 1
    guard PQsendQuery(handle.pointer, statement.text) == 1 else { throw handle.failure() }
    var failure: PostgresError?
    while let pointer = nextResult(for: task) {
      let result = QueryResult(pointer)
      // libpq may report a lost connection again without an SQLSTATE, so the first error is used.
      if result.status == PGRES_FATAL_ERROR { failure = failure ?? result.error(in: statement) }
    }
    try handle.checkCommit(after: failure)
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
  /// More than a hundred calls in one round trip could fill both socket buffers, so that client and
  /// server would wait for each other.
  @discardableResult
  public func pipeline<Output>(_ calls: [Call<Output>]) throws(PostgresError) -> [Output] {
    try pipeline(calls, for: CurrentTask())
  }

  func pipeline<Output>(
    _ calls: [Call<Output>], for task: CurrentTask
  ) throws(PostgresError) -> [Output] {
    for call in calls { try call.checkParameters() }
    var outputs: [Output] = []
    outputs.reserveCapacity(calls.count)
    for start in stride(from: 0, to: calls.count, by: 100) {
      let chunk = calls[start..<min(start + 100, calls.count)]
      var batch = try startBatch(for: task)
      for call in chunk { send(call, in: &batch) }
      sync(&batch)
      receiveOpening(&batch)
      let results = chunk.map { receive($0, in: &batch) }
      try finish(batch)
      for result in results { outputs.append(try result.get()) }
    }
    return outputs
  }

  // MARK: Transactions

  /// Begins a transaction with the next round trip.
  func begin(in schema: Schema, planning: Planning, as identity: Identity?) {
    isCommitted = false
    opening = [.run(.begin), .run(.enterSchema, schema.searchPath, planning.rawValue)]
    // The role is local to the transaction, because a pooler shares the session with other clients.
    if let role { opening.append(.run(.enterRole, role)) }
    opening += limit
    if let identity { opening.append(identity.begin(on: isDirect ? backend : nil)) }
  }

  /// Sets the role of later transactions, or uses the login's role if the argument is nil.
  public func act(as role: String?) { self.role = role }

  /// Commits the transaction if the transaction has begun and is not yet committed.
  func commit() throws(PostgresError) {
    guard opening.isEmpty, !isCommitted else {
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

// MARK: - One round trip

extension Connection {
  /// Sends the calls that open a transaction, the given calls and the closing calls, and then reads
  /// all results.
  func exchange<each Output: Sendable>(
    for task: CurrentTask = CurrentTask(), closing: [Call<Void>] = [],
    _ calls: repeat Call<each Output>
  ) throws(PostgresError) -> sending (repeat each Output) {
    repeat try (each calls).checkParameters()
    var batch = try startBatch(for: task)
    repeat send(each calls, in: &batch)
    for call in closing { send(call, in: &batch) }
    sync(&batch)
    receiveOpening(&batch)
    let results = (repeat receive(each calls, in: &batch))
    for call in closing { _ = receive(call, in: &batch) }
    try finish(batch)
    return (repeat try (each results).get())
  }

  private func startBatch(for task: CurrentTask) throws(PostgresError) -> SentBatch {
    try task.checkCancellation()
    // Outside a transaction, all calls up to the sync message form an implicit transaction.
    if PQtransactionStatus(handle.pointer) == PQTRANS_IDLE, opening.isEmpty { opening = limit }
    for call in opening { try call.checkParameters() }
    guard PQenterPipelineMode(handle.pointer) == 1 else { throw handle.failure() }
    var batch = SentBatch(opening: opening, task: task)
    opening = []
    for call in batch.opening { send(call, in: &batch) }
    return batch
  }

  private func receiveOpening(_ batch: inout SentBatch) {
    for call in batch.opening { _ = receive(call, in: &batch) }
  }

  private func send<Output>(_ call: Call<Output>, in batch: inout SentBatch) {
    guard batch.failure == nil else { return }
    let (name, isPrepared) = serverName(of: call.statement, in: batch)
    let mustPrepare = isDirect && !isPrepared
    if mustPrepare {
      batch.preparing[name] = call.statement
      batch.check(
        call.parameters.withArrays { oids, _, _, _ in
          PQsendPrepare(
            handle.pointer, name, call.statement.text, Int32(oids.count), oids)
        }, handle)
    }
    batch.prepares.append(mustPrepare ? name : nil)
    batch.check(
      call.parameters.withArrays { oids, values, lengths, formats in
        isDirect
          ? PQsendQueryPrepared(
            handle.pointer, name, Int32(oids.count), values, lengths, formats, 1)
          : PQsendQueryParams(
            handle.pointer, call.statement.text, Int32(oids.count), oids, values, lengths,
            formats, 1)
      }, handle)
  }

  /// Returns the unique name of a statement on the server, and whether the server has prepared it.
  private func serverName(
    of statement: Statement, in batch: SentBatch
  ) -> (name: String, isPrepared: Bool) {
    let name = statement.serverName
    var candidate = name
    var number = 1
    while let other = prepared[candidate] ?? batch.preparing[candidate] {
      if other == statement { return (candidate, true) }
      number += 1
      candidate = "\(name) #\(number)"
    }
    return (candidate, false)
  }

  private func sync(_ batch: inout SentBatch) {
    roundTrips += 1
    batch.check(PQpipelineSync(handle.pointer), handle)
  }

  private func receive<Output>(
    _ call: Call<Output>, in batch: inout SentBatch
  ) -> Result<Output, PostgresError> {
    guard batch.received < batch.prepares.count else {
      return .failure(batch.failure ?? handle.failure())
    }
    let preparedName = batch.prepares[batch.received]
    batch.received += 1
    do throws(PostgresError) {
      if let preparedName {
        try take(call.statement, for: batch.task) { (_) throws(PostgresError) in }
        prepared[preparedName] = call.statement
      }
      let output = try take(call.statement, for: batch.task) { (result) throws(PostgresError) in
        trace(call, result)
        return try call.read(result)
      }
      batch.observed?.answered(call.statement, error: nil)
      return .success(output)
    } catch {
      // The server skips the calls after the first error, so the skipped calls are not observed.
      if batch.failure == nil { batch.observed?.answered(call.statement, error: error) }
      // A statement that this round trip itself has prepared cannot be outdated. If such a
      // statement failed, a new connection would return the same error.
      let isOutdated = preparedName == nil && isDirect && error.sqlState == .noSuchStatement
      // The first error is also the result of all later calls, because the server skipped them.
      batch.failure = batch.failure ?? (isOutdated ? error.outdated : error).named(call.statement)
      if isOutdated { batch.isOutdated = true }
      return .failure(batch.failure ?? error)
    }
  }

  /// Waits for the next result, and cancels the running statement if the task is cancelled.
  private func nextResult(for task: CurrentTask) -> OpaquePointer? {
    waiting.store(true, ordering: .relaxed)
    defer { waiting.store(false, ordering: .relaxed) }
    // The cancel request ends before the next statement starts, and cannot cancel that statement.
    task.wait(until: { handle.waitForResult(slice: $0) }, orElse: { cancel() })
    return PQgetResult(handle.pointer)
  }

  /// Reads the next result, and the end marker after the result.
  private func take<Output>(
    _ statement: Statement, for task: CurrentTask,
    read: (borrowing QueryResult) throws(PostgresError) -> Output
  ) throws(PostgresError) -> Output {
    guard let pointer = nextResult(for: task) else { throw handle.failure() }
    let result = QueryResult(pointer)
    defer {
      while let rest = PQgetResult(handle.pointer) { PQclear(rest) }
    }
    switch result.status {
    case PGRES_TUPLES_OK, PGRES_COMMAND_OK:
      try result.requireSize(atMost: configuration.maximumResultSize)
      return try read(result)
    case PGRES_PIPELINE_ABORTED:
      throw PostgresError(.inFailedTransaction, "skipped after an error", statement: statement.name)
    default: throw result.error(in: statement)
    }
  }

  /// Reads results up to the sync message, even after a send error, and throws the first error.
  ///
  /// If the connection is lost during a send, the sync message may be lost. libpq then reports no
  /// more results, so the connection is closed after two reports without a result. After an error
  /// of an outdated prepared statement, the connection is closed too, because the other statements
  /// may be outdated.
  private func finish(_ batch: SentBatch) throws(PostgresError) {
    if batch.isOutdated, let failure = batch.failure {
      close()
      throw failure
    }
    var failure = batch.failure
    var endings = 0
    while !isBroken, endings < 2 {
      guard let pointer = nextResult(for: batch.task) else {
        endings += 1
        continue
      }
      endings = 0
      let result = QueryResult(pointer)
      if result.status == PGRES_PIPELINE_SYNC { return try leavePipeline(failure) }
      // An error at the sync message means that the implicit transaction failed to commit.
      if result.status == PGRES_FATAL_ERROR { failure = failure ?? result.error(in: .commit) }
    }
    let lost = handle.failure()
    close()
    throw failure.flatMap { $0.sqlState.isConnectionLoss ? $0 : nil } ?? lost
  }

  private func leavePipeline(_ failure: PostgresError?) throws(PostgresError) {
    guard PQexitPipelineMode(handle.pointer) == 1 else {
      let lost = handle.failure()
      close()
      throw lost
    }
    try handle.checkCommit(after: failure)
  }
}
