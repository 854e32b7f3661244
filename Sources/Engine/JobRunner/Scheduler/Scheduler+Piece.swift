import BatonJobs
import BatonPostgres
import RunnerSQL

extension Scheduler {
  /// The result of a transaction that fires some of the due schedules.
  struct FiredPiece: Sendable {
    /// The number of occurrences that became events.
    var events = 0
    /// The number of schedules that were moved to their next occurrence.
    var schedules = 0
    /// Whether further schedules may be due.
    var hasMore = false
  }

  /// The maximum total cost of the schedules that one transaction fires.
  ///
  /// Each schedule has a cost of 1, plus 1 for each of its due occurrences, plus 1 for each 2 KB of
  /// a run's payload. If each schedule has missed many occurrences, a transaction with the maximum
  /// cost takes about 500 ms. During a transaction that fires schedules, the worker does not
  /// dispatch events or poll.
  private static let mostCost = 1000
  /// The maximum number of due schedules of one job that the `due_firings` SQL function locks.
  static let mostTaken = 500

  /// Fires some of the due schedules in one transaction.
  ///
  /// Many schedules can be due at the same time, for example one for each tenant. Between two
  /// transactions that fire schedules, the worker dispatches events, so that other jobs' runs do
  /// not wait. The schedules that fire are locked until the transaction commits, and other workers
  /// skip locked schedules. If the worker is killed, the transaction is rolled back, and none of
  /// the occurrences have fired.
  ///
  /// - Parameter marks: the positions where the search for each job's due schedules begins.
  func firePiece(
    only: Set<String>? = nil, from marks: [String: Timestamp] = [:]
  ) async throws -> FiredPiece {
    let names = names(only: only)
    guard !names.isEmpty else { return FiredPiece() }
    do {
      return try await fire(names, from: marks)
    } catch let error as PostgresError where error.sqlState == .retiredJob {
      // An operator retired a job after its schedules had been chosen. The next search leaves the
      // job out.
      return try await fire(names, from: marks)
    }
  }

  private func fire(
    _ names: [String], from marks: [String: Timestamp]
  ) async throws -> FiredPiece {
    try await session.transaction { transaction in
      try await transaction.run(.run(SQL.Queue.limitCursor))
      let fired: [FiredSchedule] = try await transaction.run(
        ScheduleCalls.takeDue(names, from: marks, costing: Self.mostCost))
      guard !fired.isEmpty else { return FiredPiece() }
      let (events, _, _) = try await transaction.run(
        ScheduleCalls.fire(fired), ScheduleCalls.moveOn(fired), ScheduleCalls.forget(fired))
      let ended = fired.filter { $0.next == nil }
      if !ended.isEmpty { try await transaction.run(ScheduleCalls.end(ended)) }
      let cost = fired.reduce(0) { $0 + $1.cost }
      let hasMore = cost >= Self.mostCost || fired.contains { $0.number >= Self.mostTaken }
      return FiredPiece(events: events, schedules: fired.count, hasMore: hasMore)
    }
  }
}

extension SQLState {
  /// The SQLSTATE for a call that enqueues a run of a retired job.
  fileprivate static let retiredJob: SQLState = "ZB016"
}
