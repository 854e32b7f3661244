import BatonJobs
import BatonPostgres
import RunnerSQL

extension Queue {
  /// The minimum change of the server's clock, backwards, after which stored waits are corrected.
  private static let tolerance = Duration.seconds(1)

  /// Corrects all times that were stored while the server's clock was ahead.
  ///
  /// After the clock is set back, the stored times are in the future. Without the correction, runs,
  /// schedules, rate limits and takeovers would wait for these times, possibly for years.
  ///
  /// - Parameter jobs: the jobs whose schedules are checked.
  /// - Returns: how far the clock was set back since the last call of any worker, or nil if the
  ///   clock was not set back.
  func followClock(of jobs: [RegisteredJob]) async throws -> Duration? {
    try await session.transaction { transaction in
      let (back, _): (Duration, Int) = try await transaction.run(
        QueueCalls.noteClock, .count(SQL.Queue.boundWaits))
      try await Scheduler.moveBack(jobs, in: transaction)
      guard back > Self.tolerance else { return nil }
      _ = try await transaction.run(
        .count(SQL.Queue.moveWaits, back.milliseconds), .count(SQL.Queue.boundGroups))
      return back
    }
  }
}

extension QueueCalls {
  fileprivate static let noteClock = Call<Duration>.row(SQL.Queue.noteClock) {
    (row) throws(PostgresError) in
    let milliseconds: Int64 = try row.decode(Int64.self)
    return .milliseconds(milliseconds)
  }
}

extension Scheduler {
  /// Corrects schedules whose stored next occurrence is later than the first occurrence after the
  /// current time.
  ///
  /// Only a wrong clock can have led to a stored occurrence that is too late.
  fileprivate static func moveBack(
    _ jobs: [RegisteredJob], in transaction: Transaction
  ) async throws {
    let names = jobs.map(\.definition.name)
    let waiting = try await transaction.run(ScheduleCalls.takeWaiting(names))
    let late = waiting.compactMap { waiting -> (ScheduleID, Timestamp)? in
      guard let next = waiting.stored.schedule?.next(after: waiting.now.floorSeconds),
        waiting.next > Timestamp(seconds: next)
      else { return nil }
      return (waiting.id, Timestamp(seconds: next))
    }
    if !late.isEmpty { try await transaction.run(ScheduleCalls.moveBack(late)) }
  }
}
