package import BatonPostgres
import RunnerSQL

/// The clock of a development database that stands until whoever has set it moves it on: a replay's, a demo's, a test's.
///
/// docs/guides/development.md has its states and the interleavings.
package struct SteppedClock: Sendable {
  private let session: Session

  /// The clock of a schema, through a session that nobody else uses meanwhile.
  package init(_ session: Session) { self.session = session }

  /// Makes an unused schema a development one whose clock stands.
  ///
  /// The jobs are to be defined afterwards: until then no schedule fires.
  ///
  /// - Parameter dataCheck: answers whether the product's parts of the schema are in use.
  /// - Throws: ``ClockProblem``, `PostgresError`; nothing has changed then.
  package func begin(at instant: Timestamp, dataCheck: Statement? = nil) async throws {
    guard try await DevelopmentClock(session).check(dataCheck: dataCheck) == nil else {
      throw ClockProblem.inUse(session.schema)
    }
    try await session.freely.atomically(
      .run(SQL.Clock.begin, instant, true), .run(SQL.Clock.replaceDomainNow))
  }

  /// Moves it on; runs that were asked for at a time that has come are due from then on.
  ///
  /// Schedules are fired by whoever moves it.
  ///
  /// - Returns: how many runs are due for that.
  /// - Throws: ``ClockProblem/back(_:)`` where it does not stand at `instant`, or would go back; `PostgresError`.
  @discardableResult
  package func move(from instant: Timestamp, to target: Timestamp) async throws -> Int {
    try await move(.count(SQL.Clock.advance, instant, target), from: instant)
  }

  /// Moves it by a statement of the caller's, whose rows are 1.
  @discardableResult
  package func move(_ statement: Call<Int>, from instant: Timestamp) async throws -> Int {
    try await session.transaction { transaction in
      // A fold that has reckoned by the old clock is over, and none begins.
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
