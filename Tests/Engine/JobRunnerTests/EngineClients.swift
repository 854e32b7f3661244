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
    let (first, keys) = (call.elements[0], call.elements.map(\.key))
    switch call.way {
    case .enqueue:
      return .run(
        enqueue, call.job, first.key, first.payload, first.runAt, first.priority, first.replaces)
    case .many:
      return .run(
        enqueueMany, call.job, keys, call.elements.map(\.payload), call.elements.map(\.runAt),
        call.elements.map(\.priority), call.elements.map(\.replaces))
    case .event:
      return .run(
        Statement("test/append", "select append_events('random.' || $1, $2::text[])"), call.job,
        keys)
    case .row:
      return .run(
        Statement("test/insert_row", "select write_row('source_' || $1, $2)"),
        call.job.replacing("-", with: "_"), first.key)
    }
  }

  private static let enqueue = Statement(
    "test/enqueue",
    """
    select enqueue($1, $2, $3::jsonb, clock_timestamp() + $4::bigint * interval '1 millisecond',
      $5::bigint::integer, $6)
    """)
  private static let enqueueMany = Statement(
    "test/enqueue_many",
    """
    select enqueue_many($1, (
      select jsonb_agg(jsonb_build_object('key', key, 'payload', payload::jsonb,
        'run_at', clock_timestamp() + run_at * interval '1 millisecond', 'priority', priority,
        'replace', replaces) order by number)
      from unnest($2::text[], $3::text[], $4::bigint[], $5::bigint[], $6::boolean[])
        with ordinality e (key, payload, run_at, priority, replaces, number)))
    """)
}
