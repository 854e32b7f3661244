import BatonPostgres
import JobTesting
import Synchronization
import TestSupport
import Testing

@testable import JobRunner

/// The statements and round trips of a worker that has nothing to do.
///
/// An idle worker polls four times a second, and looks at batches twice a second.
@Suite(.timeLimit(.minutes(5))) struct IdlePassTests {
  /// Records the names of the executed statements.
  private final class Statements: StatementObserver {
    private let state = Mutex([String]())

    var names: [String] { state.withLock { $0 } }

    func answered(_ statement: String, from: UInt64, to: UInt64, error: PostgresError?) {
      state.withLock { $0.append(statement) }
    }
  }

  /// Executes `body`, and returns the names of the statements and the number of round trips.
  private func cost(
    _ connection: Connection, _ body: () async throws -> Void
  ) async throws -> (statements: [String], roundTrips: Int) {
    let statements = Statements()
    let before = await connection.roundTrips
    try await StatementObservation.$observer.withValue(statements) { try await body() }
    return (statements.names, await connection.roundTrips - before)
  }

  @Test func `an idle pass takes four statements in each of its two round trips`() async throws {
    try await BatchQueue.with { queue in
      let connection = queue.queue.session.connection
      // The first statements of a connection also prepare the statements.
      _ = try await queue.queue.poll()
      _ = try await queue.queue.advanceBatches()
      let poll = try await cost(connection) { _ = try await queue.queue.poll() }
      #expect(poll.roundTrips == 1)
      #expect(
        poll.statements == ["begin", "enter_schema_planning_once", "queue/poll", "commit"])
      let batches = try await cost(connection) { _ = try await queue.queue.advanceBatches() }
      #expect(batches.roundTrips == 1)
      #expect(batches.statements == ["begin", "enter_schema", "batches/advance", "commit"])
    }
  }

  @Test func `the server plans a poll once in a session`() async throws {
    try await BatchQueue.with { queue in
      let session = queue.queue.session
      for _ in 0..<3 { _ = try await queue.queue.poll() }
      let plans = Call.rows(
        Statement(
          "test/plans",
          """
          select generic_plans || ' ' || custom_plans from pg_prepared_statements
          where name like 'queue/poll%'
          """)
      ) { (row) throws(PostgresError) in try row.decode(String.self) }
      let counts: [String] = try await session.atomically(plans)
      #expect(counts == ["3 0"])
    }
  }
}
