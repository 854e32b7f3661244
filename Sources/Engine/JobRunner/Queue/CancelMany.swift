import BatonPostgres
import RunnerSQL

extension Queue {
  /// The number of runs that ``cancel(_:tell:)`` cancels per transaction.
  private static let piece = 1_000
  /// The maximum number of times that ``cancel(_:tell:)`` searches for ready and running runs.
  private static let mostRounds = 20
  /// The maximum number of times that a piece is locked, if other transactions hold its locks.
  private static let mostTries = 20
  /// The pause before a piece is locked again.
  private static let pause = Duration.milliseconds(500)

  /// Cancels all waiting, running and dead runs that match a filter, in several transactions.
  ///
  /// Each transaction cancels some of the runs and adds a row to the audit log. Runs that are
  /// enqueued during the call may remain.
  ///
  /// - Parameter tell: called after each transaction with the runs that it cancelled. The closure's
  ///   second argument is true if workers are still processing the runs and will soon cancel them.
  /// - Throws: `PostgresError`, or any error that `tell` throws. If another transaction holds a run
  ///   for longer than about 13 s, the SQLSTATE is 55P03. Runs cancelled by earlier transactions
  ///   remain cancelled.
  package func cancel(
    _ filter: RunSelection, tell: (_ runs: [ListedRun], _ areRunning: Bool) throws -> Void
  ) async throws {
    let filter = try await filter.stored(in: self)
    try await Queue(session.freely).foldForOperator()
    for _ in 0..<Self.mostRounds {
      var found = try await cancelReady(filter) { try tell($0, false) }
      let requested = try await requestRunning(filter)
      if !requested.isEmpty { try tell(requested, true) }
      found += requested.count
      // During a search, runs may change between ready and running. The search is therefore
      // repeated until it finds no runs.
      if found == 0 { break }
    }
    try await cancelDead(filter) { try tell($0, false) }
  }

  /// Calls `tell` with the runs that ``cancel(_:tell:)`` would cancel now, in pieces.
  ///
  /// - Throws: `PostgresError`, or any error that `tell` throws.
  package func previewCancel(
    _ filter: RunSelection, tell: (_ runs: [ListedRun]) throws -> Void
  ) async throws {
    let filter = try await filter.stored(in: self)
    // The locks on the runs are released before the runs are printed. If the runs stayed locked
    // during the output, a paused terminal would delay the dispatch of all events.
    try await eachPiece(filter.lockReady) { _, _ in
    } then: {
      try tell($0)
    }
    try tell(try await session.freely.atomically(filter.listRunning))
    try await eachPiece(filter.lockDead) { _, _ in
    } then: {
      try tell($0)
    }
  }

  // MARK: States

  private func cancelReady(
    _ filter: RunSelection, tell: ([ListedRun]) throws -> Void
  ) async throws -> Int {
    try await eachPiece(filter.lockReady) { runs, transaction in
      try await remove(runs, filter, "ready", in: transaction)
    } then: {
      try tell($0)
    }
  }

  private func cancelDead(
    _ filter: RunSelection, tell: ([ListedRun]) throws -> Void
  ) async throws {
    try await eachPiece(filter.lockDead) { runs, transaction in
      try await remove(runs, filter, "dead", in: transaction)
    } then: {
      try tell($0)
    }
  }

  private func remove(
    _ runs: [ListedRun], _ filter: RunSelection, _ state: String, in transaction: Transaction
  ) async throws {
    _ = try await transaction.run(Self.removeLocked(runs.map { Found($0) }))
    try await transaction.record(
      AuditEntry(
        "runs cancel", filter: filter.fields(of: state), count: runs.count,
        after: ["state": "cancelled"]))
  }

  private func requestRunning(_ filter: RunSelection) async throws -> [ListedRun] {
    let running = try await session.freely.atomically(filter.listRunning)
    guard !running.isEmpty else { return [] }
    let requests = try await request(running.map { Found($0) }) { transaction, requests in
      let count = requests.count(where: \.isFirst)
      guard count > 0 else { return }
      try await transaction.record(
        AuditEntry(
          "runs cancel", filter: filter.fields(of: "running"), count: count,
          after: ["state": "cancelling"]))
    }
    let ids = Set(requests.map(\.id))
    return running.filter { ids.contains($0.id) }
  }

  /// Locks the runs piece by piece, and executes `body` in each piece's transaction.
  ///
  /// - Returns: the number of locked runs.
  @discardableResult
  private func eachPiece(
    _ lock: (ListedRun?, Int) -> Call<[ListedRun]>,
    _ body: ([ListedRun], Transaction) async throws -> Void,
    then tell: ([ListedRun]) throws -> Void = { _ in }
  ) async throws -> Int {
    var last: ListedRun?
    var count = 0
    while true {
      let runs = try await onePiece(lock(last, Self.piece), body)
      guard !runs.isEmpty else { return count }
      try tell(runs)
      count += runs.count
      last = runs.last
    }
  }

  /// Locks one piece of the runs, and executes `body` in the same transaction.
  ///
  /// While this transaction waits for a run, for example for a run of a dry run, the dispatch of
  /// all events can wait for the other locked runs. Each wait is therefore limited to 200 ms. After
  /// a lock timeout or a deadlock, the transaction is rolled back, and repeated after a pause.
  private func onePiece(
    _ lock: Call<[ListedRun]>, _ body: ([ListedRun], Transaction) async throws -> Void
  ) async throws -> [ListedRun] {
    var tries = Self.mostTries
    while true {
      tries -= 1
      do {
        return try await session.freely.transaction { transaction in
          let (_, runs) = try await transaction.run(
            .run(SQL.Queue.limitLockWait, Self.longestWait.milliseconds), lock)
          if !runs.isEmpty { try await body(runs, transaction) }
          return runs
        }
      } catch let error as PostgresError
        where Self.lockErrors.contains(error.sqlState) && tries > 0
      {
        try await Task.sleep(for: Self.pause)
      }
    }
  }
}

extension Queue.Found {
  fileprivate init(_ run: ListedRun) {
    self.init(id: run.id, job: run.job, key: run.key, state: run.state)
  }
}

extension RunSelection {
  fileprivate func lockReady(after last: ListedRun?, limit: Int) -> Call<[ListedRun]> {
    .rows(
      SQL.Runs.lockReady, job, keyPrefix, last?.job, last?.key, Int64(limit), last?.id,
      decode: ListedRun.decode)
  }

  fileprivate func lockDead(after last: ListedRun?, limit: Int) -> Call<[ListedRun]> {
    DeadSelection(self, limit: limit).lock(after: last?.id)
  }

  fileprivate var listRunning: Call<[ListedRun]> {
    .rows(SQL.Runs.listRunning, job, keyPrefix, decode: ListedRun.decode)
  }

  fileprivate func fields(of state: String) -> [String: AuditValue] {
    fields.merging(["state": .text(state)]) { $1 }
  }
}
