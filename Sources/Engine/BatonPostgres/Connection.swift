import CLibPQ
import Synchronization

/// One connection to PostgreSQL, an actor that lives on a thread of its own.
///
/// Calls are made in the order they arrive; a blocking libpq call holds that thread and nothing
/// else. After an error the connection is usable unless ``isBroken``.
public actor Connection {
  private nonisolated let thread: ConnectionThread
  /// Runs every call on the connection's own thread.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    thread.asUnownedSerialExecutor()
  }

  var handle: ConnectionHandle
  private nonisolated let canceller = Mutex<Canceller?>(nil)
  /// What is prepared on the server, by its name there.
  private var prepared: [String: Statement] = [:]
  /// The role that transactions act as; nil: who has logged in.
  private var role: String?
  /// Calls that make each transaction read-only and limit its statements; empty unless the configuration has a limit.
  private var limit: [Call<Void>] = []
  /// What goes ahead of the next round trip: BEGIN, the search path and who acts.
  private var opening: [Call<Void>] = []
  /// Whether the transaction's own code has committed it.
  private var isCommitted = false
  /// Whether the server process is ours alone, not lent by a pooler for each transaction.
  public private(set) var isDirect = false
  /// The server process behind a direct connection, as `pg_stat_activity` lists it.
  public private(set) var backend: Backend
  /// What was sent since ``startTrace()``; nil: nobody asks.
  private var traced: (from: Int, calls: [TracedCall])?
  /// Round trips made since the connection was opened.
  public private(set) var roundTrips = 0

  private init(thread: ConnectionThread) {
    self.thread = thread
    handle = ConnectionHandle()
    backend = Backend(pid: 0, start: nil)
  }

  /// Opens a connection and checks what the client relies on.
  ///
  /// - Throws: ``PostgresError``: the server cannot be reached or refuses, or is older than 15.
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
    // A pooler answers with a process id of its own making.
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

  /// Asks the server to stop what this connection runs, from any thread, without waiting.
  ///
  /// Over TLS the socket is shut instead, because libpq 15 sends cancel requests in clear text;
  /// the transaction is then rolled back when the server notices.
  public nonisolated func cancel() {
    canceller.withLock { $0?.cancel() }
  }

  /// Runs several statements without parameters, as a file of SQL holds them.
  ///
  /// - Throws: ``PostgresError`` of the first that fails.
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
      // Behind the server's own word the loss of the connection is said once more, without its code.
      if result.status == PGRES_FATAL_ERROR { failure = failure ?? result.error(in: statement) }
    }
    if let failure { throw failure }
  }

  /// Runs one call in one round trip, in the open transaction or in one of its own.
  @discardableResult
  public func run<Output>(_ call: Call<Output>) throws(PostgresError) -> Output {
    try pipeline(call)
  }

  /// Runs calls in one round trip.
  ///
  /// Without an open transaction they are one transaction.
  ///
  /// - Throws: the first error; the calls behind it did not run.
  @discardableResult
  public func pipeline<each Output: Sendable>(
    _ calls: repeat Call<each Output>
  ) throws(PostgresError) -> sending (repeat each Output) {
    try exchange(repeat each calls)
  }

  /// Runs any number of calls of one kind; one round trip for every hundred of them.
  ///
  /// More at once could fill both socket buffers, with client and server waiting for each other.
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

  /// Notes every call from now on.
  package func startTrace() { traced = (roundTrips, []) }

  /// What was sent since ``startTrace()``, in order; notes nothing more.
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

  /// Lets the next round trip begin a transaction.
  func begin(in schema: Schema, planning: Planning, as identity: Identity?) {
    isCommitted = false
    opening = [.run(.begin), .run(.enterSchema, schema.searchPath, planning.rawValue)]
    // Local, like the path: a pooler lends the session to others between two transactions.
    if let role { opening.append(.run(.enterRole, role)) }
    opening += limit
    if let identity { opening.append(identity.begin(on: isDirect ? backend : nil)) }
  }

  /// Lets later transactions act as another role, of which who has logged in is a member; nil: as themselves.
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

  /// Rolls back what is open, so that the connection can be used again.
  func rollBack() {
    opening = []
    let status = PQtransactionStatus(handle.pointer)
    guard status != PQTRANS_IDLE, status != PQTRANS_UNKNOWN else { return }
    do { try run(.run(.rollback)) } catch { close() }
  }
}

// MARK: - One round trip

extension Connection {
  /// Sends the opening, the calls and the closing, then reads all their answers.
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
    // Calls outside of a transaction are one of their own, up to the sync mark.
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

  /// What a statement is called on the server, and whether it is there already or sent ahead.
  ///
  /// Two statements may have one name, and then the first one's text must not answer for the second.
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
      // What the server skipped behind the first error was not run.
      if batch.failure == nil { batch.observed?.answered(call.statement, error: error) }
      // Everything behind the first error was skipped by the server: that error is the answer.
      batch.failure = batch.failure ?? error.named(call.statement)
      return .failure(batch.failure ?? error)
    }
  }

  /// Waits for the next result; a task that is cancelled meanwhile ends its statement.
  private func nextResult(for task: CurrentTask) -> OpaquePointer? {
    // Asked for here and answered before anything else is sent: no later statement can be hit.
    task.wait(until: { handle.waitForResult(slice: $0) }, orElse: { cancel() })
    return PQgetResult(handle.pointer)
  }

  /// Takes the next result and the end mark behind it.
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

  /// Reads up to the sync mark, also after a send that failed half way, and reports the error.
  ///
  /// A connection that breaks while it is written to can lose the mark itself: libpq then answers
  /// "nothing more" for ever, twice in a row, and the connection is given up.
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
      // An error at the sync mark itself: the implicit transaction failed to commit.
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
