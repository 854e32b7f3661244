import CLibPQ
import Synchronization

/// One connection to PostgreSQL: an actor with its own thread.
///
/// Calls are made in the order in which they arrive. A blocking libpq call blocks only that thread. After an error the
/// connection can still be used, unless ``isBroken``.
public actor Connection {
  private nonisolated let thread: ConnectionThread
  /// Runs every call on the connection's own thread.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    thread.asUnownedSerialExecutor()
  }

  var handle: ConnectionHandle
  private nonisolated let canceller = Mutex<Canceller?>(nil)
  /// The prepared statements of the server, by their names on the server.
  private var prepared: [String: Statement] = [:]
  /// The role that transactions act as; nil: the login.
  private var role: String?
  /// Calls that make each transaction read-only and limit its statements; empty unless the configuration has a limit.
  private var limit: [Call<Void>] = []
  /// The calls that begin the next round trip: BEGIN, the search path and the identity.
  private var opening: [Call<Void>] = []
  /// Whether the code of the transaction has already committed it.
  private var isCommitted = false
  /// Whether the connection has its own server process, instead of one that a pooler lends for each transaction.
  public private(set) var isDirect = false
  /// The server process of a direct connection, as `pg_stat_activity` lists it.
  public private(set) var backend: Backend
  /// The calls since ``startTrace()``; nil: they are not traced.
  private var traced: (from: Int, calls: [TracedCall])?
  /// Round trips made since the connection was opened.
  public private(set) var roundTrips = 0

  private init(thread: ConnectionThread) {
    self.thread = thread
    handle = ConnectionHandle()
    backend = Backend(pid: 0, start: nil)
  }

  /// Opens a connection and checks the settings that the client relies on.
  ///
  /// - Throws: ``PostgresError`` if the server cannot be reached, refuses the connection, or is older than 15.
  public static func open(
    _ configuration: ConnectionConfiguration
  ) async throws(PostgresError) -> Connection {
    let connection = Connection(thread: ConnectionThread(name: configuration.applicationName))
    try await connection.open(configuration)
    do throws(PostgresError) {
      try await configuration.whenOpened?(connection)
    } catch {
      await connection.close()
      throw error
    }
    return connection
  }

  private func open(_ configuration: ConnectionConfiguration) throws(PostgresError) {
    handle = try ConnectionHandle.open(configuration)
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
    // A pooler reports a process id that it has invented.
    isDirect = backend.pid == PQbackendPID(handle.pointer)
    if isDirect, !configuration.isDurable { try script(.relaxDurability) }
  }

  /// Whether the connection is lost; it then stays lost.
  public var isBroken: Bool { PQstatus(handle.pointer) != CONNECTION_OK }

  /// The database and the server for messages: `app at db.example:5432, PostgreSQL 15.8`.
  public var server: String {
    func text(_ value: UnsafePointer<CChar>?) -> String { value.map { String(cString: $0) } ?? "?" }
    let pointer = handle.pointer
    let version = PQserverVersion(pointer)
    return "\(text(PQdb(pointer))) at \(text(PQhost(pointer))):\(text(PQport(pointer))), "
      + "PostgreSQL \(version / 10_000).\(version % 10_000)"
  }

  /// Closes the connection; every later call fails.
  public func close() {
    canceller.withLock { $0 = nil }
    handle = ConnectionHandle()
    prepared = [:]
  }

  /// Requests, from any thread, that the server cancels the running statement; waits one second at most.
  ///
  /// Over TLS the socket is shut down instead, because libpq 15 sends cancel requests in clear text. The transaction is
  /// then rolled back when the server notices.
  public nonisolated func cancel() {
    canceller.withLock { $0?.cancel() }
  }

  /// Runs several statements without parameters, like a SQL file.
  ///
  /// - Throws: ``PostgresError`` of the first statement that fails.
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
      // After the server's own error, libpq reports the lost connection again, without an SQLSTATE: the first error
      // counts.
      if result.status == PGRES_FATAL_ERROR { failure = failure ?? result.error(in: statement) }
    }
    if let failure { throw failure }
  }

  /// Runs one call in one round trip, in the open transaction or in its own.
  @discardableResult
  public func run<Output>(_ call: Call<Output>) throws(PostgresError) -> Output {
    try pipeline(call)
  }

  /// Runs calls in one round trip.
  ///
  /// If no transaction is open, the calls are one transaction.
  ///
  /// - Throws: the first error; the calls after it did not run.
  @discardableResult
  public func pipeline<each Output: Sendable>(
    _ calls: repeat Call<each Output>
  ) throws(PostgresError) -> sending (repeat each Output) {
    try exchange(repeat each calls)
  }

  /// Runs any number of calls of one kind, with one round trip for every hundred calls.
  ///
  /// More calls in one round trip could fill both socket buffers, and then client and server would wait for each other.
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

  // MARK: Tracing

  /// Traces every call from now on.
  package func startTrace() { traced = (roundTrips, []) }

  /// Ends tracing and returns the calls since ``startTrace()``, in order.
  package func endTrace() -> [TracedCall] {
    defer { traced = nil }
    return traced?.calls ?? []
  }

  private func trace<Output>(_ call: Call<Output>, _ result: borrowing QueryResult) {
    guard let from = traced?.from else { return }
    traced?.calls.append(
      TracedCall(
        statement: call.statement.name, roundTrip: roundTrips - from, rows: result.count,
        bytesSent: call.parameters.bytes.count, bytesReceived: result.bytes))
  }

  // MARK: Transactions

  /// Makes the next round trip begin a transaction.
  func begin(in schema: Schema, planning: Planning, as identity: Identity?) {
    isCommitted = false
    opening = [.run(.begin), .run(.enterSchema, schema.searchPath, planning.rawValue)]
    // The role is local to the transaction, like the search path, because a pooler lends the session to other clients.
    if let role { opening.append(.run(.enterRole, role)) }
    opening += limit
    if let identity { opening.append(identity.begin(on: isDirect ? backend : nil)) }
  }

  /// Makes later transactions act as another role, of which the login is a member; nil: as the login.
  public func act(as role: String?) { self.role = role }

  /// Commits, if the transaction was begun at all and is not committed yet.
  func commit() throws(PostgresError) {
    guard opening.isEmpty, !isCommitted else {
      opening = []
      return
    }
    try run(.commit)
  }

  /// Runs calls and COMMIT in one round trip.
  func commit<each Output: Sendable>(
    after calls: repeat Call<each Output>
  ) throws(PostgresError) -> sending (repeat each Output) {
    let outputs = try exchange(closing: [.commit], repeat each calls)
    isCommitted = true
    return outputs
  }

  /// Rolls back the open transaction, so that the connection can be used again.
  func rollBack() {
    opening = []
    let status = PQtransactionStatus(handle.pointer)
    guard status != PQTRANS_IDLE, status != PQTRANS_UNKNOWN else { return }
    do { try run(.run(.rollback)) } catch { close() }
  }
}

// MARK: - One round trip

extension Connection {
  /// Sends the opening, the calls and the closing, then reads all results.
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
    // Calls outside of a transaction form an implicit transaction, up to the sync mark.
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

  /// The name of a statement on the server, and whether it is already prepared or being prepared in this batch.
  ///
  /// Two statements may have the same name; then the second one must not run the text of the first.
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
      // The server skips the calls after the first error, so they are not observed.
      if batch.failure == nil { batch.observed?.answered(call.statement, error: error) }
      // The server skipped all calls after the first error, so that error is their result too.
      batch.failure = batch.failure ?? error.named(call.statement)
      return .failure(batch.failure ?? error)
    }
  }

  /// Waits for the next result; if the task is cancelled meanwhile, its statement is cancelled.
  private func nextResult(for task: CurrentTask) -> OpaquePointer? {
    // The cancel request is sent and answered before any other statement is sent, so it cannot hit a later statement.
    task.wait(until: { handle.waitForResult(slice: $0) }, orElse: { cancel() })
    return PQgetResult(handle.pointer)
  }

  /// Takes the next result and the end mark after it.
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
    case PGRES_TUPLES_OK, PGRES_COMMAND_OK: return try read(result)
    case PGRES_PIPELINE_ABORTED:
      throw PostgresError(.inFailedTransaction, "skipped after an error", statement: statement.name)
    default: throw result.error(in: statement)
    }
  }

  /// Reads up to the sync mark, also if sending failed halfway, and reports the error.
  ///
  /// If a connection breaks while it is being written, the mark itself can be lost. libpq then returns "no more
  /// results" forever; after two in a row the connection is closed.
  private func finish(_ batch: SentBatch) throws(PostgresError) {
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
      // An error at the sync mark itself means that the implicit transaction failed to commit.
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
    if let failure { throw failure }
  }
}
