import BatonPostgres
import JobTesting
import TestSupport

/// A client that makes the calls of one lane, on a connection that may be killed.
struct EngineClient: Sendable {
  let lane: Int
  let stage: EngineStage

  func run(_ deals: [EngineScript.Deal]) async throws {
    var connection: Connection?
    var losses = 0
    for deal in deals {
      try await Task.sleep(for: .milliseconds(deal.pause))
      do {
        let current: Connection
        if let connection { current = connection } else { current = try await stage.connect() }
        connection = current
        try await make(deal, as: "\(lane).\(losses)", on: current)
      } catch let error as PostgresError {
        // The transaction may still be in progress in the server, so later calls count as calls of
        // another client.
        losses += 1
        await connection?.close()
        connection = nil
        guard error.sqlState.isTransient else { throw error }
      }
    }
    await connection?.close()
  }

  private func make(
    _ deal: EngineScript.Deal, as name: String, on connection: Connection
  ) async throws {
    try await connection.script(deal.isRepeatableRead ? Self.beginRepeatable : Self.begin)
    try await connection.run(.run(Self.setUp, name, stage.test.schema.name))
    for call in deal.calls {
      try await connection.run(Self.call(call))
      try await Task.sleep(for: .milliseconds(deal.pauseBetween))
    }
    try await connection.script(deal.isRolledBack ? Self.rollBack : Self.commit)
  }

  private static let begin = Statement("test/begin", "begin isolation level read committed")
  private static let beginRepeatable = Statement(
    "test/begin_repeatable", "begin isolation level repeatable read")
  private static let commit = Statement("test/commit", "commit")
  private static let rollBack = Statement("test/roll_back", "rollback")
  private static let setUp = Statement(
    "test/set_up",
    "select set_config('test.lane', $1, true), set_config('search_path', $2, true)")

  private static func call(_ call: EngineScript.Call) -> Call<Void> {
    switch call.way {
    case .enqueue:
      .run(
        Statement(
          "test/enqueue",
          """
          select enqueue($1, $2, $3::jsonb, clock_timestamp() + $4::bigint * interval '1 millisecond',
            $5::bigint::integer, $6)
          """), call.job, call.key, call.payload, call.runAt, call.priority, call.replaces)
    case .many:
      .run(
        Statement(
          "test/enqueue_many",
          """
          select enqueue_many($1, jsonb_build_array(jsonb_build_object('key', $2::text,
            'payload', $3::jsonb, 'run_at', clock_timestamp() + $4::bigint * interval '1 millisecond',
            'priority', $5::bigint, 'replace', $6::boolean)))
          """), call.job, call.key, call.payload, call.runAt, call.priority, call.replaces)
    case .event:
      .run(
        Statement("test/append", "select append_events('random.' || $1, array[$2])"), call.job,
        call.key)
    case .row:
      .run(
        Statement("test/insert_row", "select write_row('source_' || $1, $2)"),
        call.job.replacing("-", with: "_"), call.key)
    }
  }
}
