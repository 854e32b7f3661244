package import BatonPostgres
import RunnerSQL

/// A clock of a development database that is frozen until its program moves it: for a replay, a demo or a test.
///
/// docs/guides/development.md describes its states and the interleavings.
package struct SteppedClock: Sendable {
  private let session: Session

  /// Makes the clock of a schema; nothing else may use the session meanwhile.
  package init(_ session: Session) { self.session = session }

  /// Turns an unused schema into a development schema whose clock is frozen.
  ///
  /// Define the jobs afterwards: until then no schedule fires.
  ///
  /// - Parameter dataCheck: returns whether the product's parts of the schema are in use.
  /// - Throws: ``ClockProblem``, `PostgresError`; then nothing was changed.
  package func begin(at instant: Timestamp, dataCheck: Statement? = nil) async throws {
    guard try await DevelopmentClock(session).check(dataCheck: dataCheck) == nil else {
      throw ClockProblem.inUse(session.schema)
    }
    try await session.freely.atomically(
      .run(SQL.Clock.begin, instant, true), .run(SQL.Clock.replaceDomainNow))
  }

  /// Moves the clock; runs whose requested time has come are due from then on.
  ///
  /// The program that moves the clock must also fire the schedules.
  ///
  /// - Returns: the number of runs that became due.
  /// - Throws: ``ClockProblem/back(_:)`` if the clock is not at `instant`, or would go back; `PostgresError`.
  @discardableResult
  package func move(from instant: Timestamp, to target: Timestamp) async throws -> Int {
    try await move(.count(SQL.Clock.advance, instant, target), from: instant)
  }

  /// Moves the clock by the caller's statement, which must affect one row.
  @discardableResult
  package func move(_ statement: Call<Int>, from instant: Timestamp) async throws -> Int {
    try await session.transaction { transaction in
      // Now no fold that has computed with the old time is running, and none can begin.
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
