import CLibPQ
import Dispatch
import Synchronization

// The messages of one round trip.
extension Connection {
  /// The maximum total size of parameters, in bytes, for calls that are sent together.
  ///
  /// While the server executes a call, it does not read the next calls. If the next calls do not
  /// fit in the receive buffer of the server, the kernel closes the connection after 10 s
  /// (`tcp_user_timeout`). The receive buffer has about 64 KB.
  private static let mostTogether = 32_768

  /// Sends the opening calls, the given calls and the closing calls, and reads all results.
  ///
  /// If the parameters are too large, each call is sent after the result of the previous call.
  func exchange<each Output: Sendable>(
    for task: CurrentTask = CurrentTask(), closing: [Call<Void>] = [],
    _ calls: repeat Call<each Output>
  ) throws(PostgresError) -> sending (repeat each Output) {
    defer { noteLoss() }
    repeat try (each calls).checkParameters()
    var size = 0
    for call in repeat each calls { size += call.parameters.bytes.count }
    var batch = try startBatch(for: task, size: size)
    if !batch.isStepwise {
      repeat send(each calls, in: &batch)
      end(&batch, with: closing)
    }
    receiveOpening(&batch)
    let results = (repeat perform(each calls, in: &batch))
    if batch.isStepwise { end(&batch, with: closing) }
    for call in closing { _ = receive(call, in: &batch) }
    try finish(batch)
    return (repeat try (each results).get())
  }

  func pipeline<Output>(
    _ calls: [Call<Output>], for task: CurrentTask
  ) throws(PostgresError) -> [Output] {
    defer { noteLoss() }
    for call in calls { try call.checkParameters() }
    var outputs: [Output] = []
    outputs.reserveCapacity(calls.count)
    var rest = calls[...]
    while !rest.isEmpty {
      let (chunk, size) = Self.chunk(of: rest)
      rest = rest.dropFirst(chunk.count)
      var batch = try startBatch(for: task, size: size)
      if !batch.isStepwise {
        for call in chunk { send(call, in: &batch) }
        end(&batch)
      }
      receiveOpening(&batch)
      let results = chunk.map { perform($0, in: &batch) }
      if batch.isStepwise { end(&batch) }
      try finish(batch)
      for result in results { outputs.append(try result.get()) }
    }
    return outputs
  }

  /// Returns the first calls, which are sent together, and the size of their parameters.
  private static func chunk<Output>(
    of calls: ArraySlice<Call<Output>>
  ) -> (ArraySlice<Call<Output>>, size: Int) {
    var (count, size) = (0, 0)
    for call in calls.prefix(100) {
      let next = call.parameters.bytes.count
      guard count == 0 || size + next <= mostTogether else { break }
      (count, size) = (count + 1, size + next)
    }
    return (calls.prefix(count), size)
  }

  func script(_ statement: Statement, for task: CurrentTask) throws(PostgresError) {
    defer { noteLoss() }
    try task.checkCancellation()
    // A script is not sent in pipeline mode, so the opening calls are sent first, in a separate
    // round trip.
    if !opening.isEmpty { try exchange(for: task) }
    roundTrips += 1
    guard PQsendQuery(handle.pointer, statement.text) == 1 else { throw handle.failure() }
    var failure: PostgresError?
    while let pointer = nextResult(for: task, statements: nil) {
      let result = QueryResult(pointer)
      // libpq may report a lost connection again without an SQLSTATE, so the first error is used.
      if result.status == PGRES_FATAL_ERROR {
        failure = failure ?? noResponse(in: statement) ?? result.error(in: statement)
      }
      if let copy = result.copy(in: statement) {
        close()
        throw copy
      }
    }
    try handle.checkCommit(after: failure)
  }

  /// Sends the opening calls.
  ///
  /// - Parameter size: the total size of the parameters of the next calls, in bytes.
  private func startBatch(
    for task: CurrentTask, size: Int
  ) throws(PostgresError) -> SentBatch {
    try task.checkCancellation()
    // Outside a transaction, the calls of one round trip form an implicit transaction. The calls in
    // `limit` are sent first, so that they also restrict the implicit transaction.
    if PQtransactionStatus(handle.pointer) == PQTRANS_IDLE, opening.isEmpty { opening = limit }
    for call in opening { try call.checkParameters() }
    guard PQenterPipelineMode(handle.pointer) == 1 else { throw handle.failure() }
    var batch = SentBatch(opening: opening, task: task, isStepwise: size > Self.mostTogether)
    opening = []
    for call in batch.opening { send(call, in: &batch) }
    if batch.isStepwise, !batch.opening.isEmpty { flush(&batch) }
    return batch
  }

  private func receiveOpening(_ batch: inout SentBatch) {
    for call in batch.opening { _ = receive(call, in: &batch) }
    // Only the round trip that sends the opening calls also sends the deferred calls. Other round
    // trips must not overwrite `deferredFailure`.
    if hasDeferred, !batch.opening.isEmpty { deferredFailure = batch.failure }
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

  /// Returns a statement's unique name on the server, and whether the server has prepared it.
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

  /// Sends the closing calls and the sync message.
  private func end(_ batch: inout SentBatch, with closing: [Call<Void>] = []) {
    for call in closing { send(call, in: &batch) }
    roundTrips += 1
    batch.check(PQpipelineSync(handle.pointer), handle)
  }

  /// Makes the server return the results of the calls so far, within the same transaction.
  private func flush(_ batch: inout SentBatch) {
    guard batch.failure == nil else { return }
    roundTrips += 1
    batch.check(PQsendFlushRequest(handle.pointer), handle)
    batch.check(PQflush(handle.pointer) == 0 ? 1 : 0, handle)
  }

  /// Reads the result of a call, which a stepwise batch sends first.
  private func perform<Output>(
    _ call: Call<Output>, in batch: inout SentBatch
  ) -> Result<Output, PostgresError> {
    if batch.isStepwise {
      send(call, in: &batch)
      flush(&batch)
    }
    return receive(call, in: &batch)
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
        try take(call.statement, in: batch) { (_) throws(PostgresError) in }
        prepared[preparedName] = call.statement
      }
      let output = try take(call.statement, in: batch) { (result) throws(PostgresError) in
        trace(call, result)
        return try call.read(result)
      }
      batch.observed?.answered(call.statement, error: nil)
      return .success(output)
    } catch {
      // The server skips the calls after the first error, so the skipped calls are not observed.
      if batch.failure == nil { batch.observed?.answered(call.statement, error: error) }
      if error.sqlState.failure == .readOnly { isReadOnly.store(true, ordering: .releasing) }
      // A statement that this round trip has prepared cannot be outdated.
      let isOutdated = preparedName == nil && isDirect && error.sqlState == .noSuchStatement
      // The first error is also the result of all later calls, because the server skips all calls
      // after an error.
      batch.failure = batch.failure ?? (isOutdated ? error.outdated : error).named(call.statement)
      if isOutdated { batch.isOutdated = true }
      return .failure(batch.failure ?? error)
    }
  }

  /// Waits for the next result, and cancels the running statement if the task is cancelled.
  ///
  /// - Parameter statements: the number of statements that were sent together, or nil for a script.
  ///   The server may send the first result after the last statement.
  private func nextResult(for task: CurrentTask, statements: Int?) -> OpaquePointer? {
    let limit = configuration.answerLimit(statements: statements)
    waitingSince.store(DispatchTime.now().uptimeNanoseconds, ordering: .relaxed)
    defer { waitingSince.store(0, ordering: .relaxed) }
    task.wait(
      until: { slice in
        guard !handle.waitForResult(slice: slice) else { return true }
        // After the socket is closed, the next wait ends with a libpq error.
        if let limit, waited > limit {
          silence = limit
          abort()
        }
        return false
      }, orElse: { cancel() })
    return PQgetResult(handle.pointer)
  }

  /// Returns an error if this client has closed the connection because no result arrived, or nil.
  ///
  /// libpq's text says that the server has closed the connection, so it would mislead an operator.
  private func noResponse(in statement: Statement) -> PostgresError? {
    guard let silence, handle.isLost else { return nil }
    return PostgresError(
      .connectionFailure,
      "no response within \(silence.components.seconds) s, so the connection was closed",
      statement: statement.name,
      hint: "Check the server, the network, and any connection pooler between them.")
  }

  /// Reads the next result, and the end marker after the result.
  private func take<Output>(
    _ statement: Statement, in batch: SentBatch,
    read: (borrowing QueryResult) throws(PostgresError) -> Output
  ) throws(PostgresError) -> Output {
    guard let pointer = nextResult(for: batch.task, statements: batch.prepares.count) else {
      throw noResponse(in: statement) ?? handle.failure()
    }
    let result = QueryResult(pointer)
    // In the middle of a COPY, libpq returns endless results, so only a new connection helps.
    if let copy = result.copy(in: statement) {
      close()
      throw copy
    }
    defer {
      while let rest = PQgetResult(handle.pointer) { PQclear(rest) }
    }
    switch result.status {
    case PGRES_TUPLES_OK, PGRES_COMMAND_OK:
      try result.requireSize(atMost: configuration.maximumResultSize)
      return try read(result)
    case PGRES_PIPELINE_ABORTED:
      throw PostgresError(.inFailedTransaction, "skipped after an error", statement: statement.name)
    default: throw noResponse(in: statement) ?? result.error(in: statement)
    }
  }

  /// Reads results up to the sync message, even after a send error, and throws the first error.
  ///
  /// If the connection is lost during a send, the sync message may be lost, too. The connection is
  /// closed if libpq reports twice in succession that no results are left. If a prepared statement
  /// is outdated, the connection is closed, because its other prepared statements may be outdated
  /// too. After a COPY, the connection is already closed.
  private func finish(_ batch: SentBatch) throws(PostgresError) {
    if batch.isOutdated || handle.pointer == nil, let failure = batch.failure {
      close()
      throw failure
    }
    var failure = batch.failure
    var endings = 0
    while !handle.isLost, endings < 2 {
      guard let pointer = nextResult(for: batch.task, statements: batch.prepares.count) else {
        endings += 1
        continue
      }
      endings = 0
      let result = QueryResult(pointer)
      if result.status == PGRES_PIPELINE_SYNC { return try leavePipeline(failure) }
      // An error at the sync message means that the implicit transaction failed to commit.
      if result.status == PGRES_FATAL_ERROR {
        failure = failure ?? noResponse(in: .commit) ?? result.error(in: .commit)
      }
    }
    let lost = noResponse(in: .commit) ?? handle.failure()
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
