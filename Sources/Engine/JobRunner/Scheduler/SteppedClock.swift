package import BatonPostgres
import RunnerSQL

/// A development database's clock, which is frozen until the program moves it.
///
/// Replays, demos and tests use this clock. docs/internals/development-clock.md describes the
/// clock's states, and the possible interleavings with other transactions.
package struct SteppedClock: Sendable {
  private let session: Session

  /// Creates the clock for the session's schema.
  ///
  /// No other task may use the session concurrently.
  package init(_ session: Session) { self.session = session }

  /// Converts an unused schema to a development schema whose clock is frozen.
  ///
  /// Define the jobs after this call. A schedule does not fire before its job is defined.
  ///
  /// - Parameter dataCheck: a statement that returns whether the product's tables in the schema
  ///   contain data.
  /// - Throws: ``ClockProblem`` or `PostgresError`. If the method throws, nothing is changed.
  package func begin(at instant: Timestamp, dataCheck: Statement? = nil) async throws {
    guard try await DevelopmentClock(session).check(dataCheck: dataCheck) == nil else {
      throw ClockProblem.inUse(session.schema)
    }
    try await session.freely.atomically(
      .run(SQL.Clock.begin, instant, true), .run(SQL.Clock.replaceDomainNow))
  }

  /// Moves the clock so that runs requested for a time up to `target` become due.
  ///
  /// The program that moves the clock must also fire the schedules.
  ///
  /// - Returns: the number of runs that became due.
  /// - Throws: ``ClockProblem/back(_:)`` if the clock's time is not `instant` or the clock would be
  ///   set back, or `PostgresError`.
  @discardableResult
  package func move(from instant: Timestamp, to target: Timestamp) async throws -> Int {
    try await move(.count(SQL.Clock.advance, instant, target), from: instant)
  }

  /// Moves the clock by executing the given statement, which must update one row.
  @discardableResult
  package func move(_ statement: Call<Int>, from instant: Timestamp) async throws -> Int {
    try await session.transaction { transaction in
      // This call waits for the current fold, and prevents new folds until the transaction ends.
      _ = try await transaction.run(.run(SQL.Queue.limitCursor), QueueCalls.waitForCursor)
      let moved: Int = try await transaction.run(statement)
      guard moved == 1 else { throw ClockProblem.back(instant) }
      let hurry = Call.row(SQL.Clock.hurryRuns) { (row) throws(PostgresError) in
        try row.decode(Int64.self)
      }
      let runs: Int64 = try await transaction.run(hurry)
      return Int(runs)
    }
  }
}
