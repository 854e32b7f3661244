import BatonPostgres
import TestSupport
import Testing

/// COMMITs that wait for a synchronous standby, and whose wait is cancelled.
///
/// The server reports success for such a COMMIT, but a failover loses the transaction.
@Suite(.timeLimit(.minutes(5)))
struct UnconfirmedCommitTests {
  @Test(.sampled())
  func `a COMMIT that was cancelled before the standby confirmed it is not a success`()
    async throws
  {
    try await ServerFaultTests.withServer { _, queue in
      try await queue.sql("create table written (n int)")
      let insert = Statement("test/insert", "insert into written values (1)")
      let script = Statement(
        "test/script", "begin; insert into \(queue.schema.name).written values (1); commit")
      let ways: [@Sendable (Connection) async throws -> Void] = [
        { try await $0.transaction(in: queue.schema) { try await $0.run(.run(insert)) } },
        {
          try await $0.transaction(in: queue.schema) { try await $0.commit(after: .run(insert)) }
        },
        { try await $0.atomically(in: queue.schema, .run(insert)) },
        { try await $0.script(script) },
      ]
      let connection = try await Connection.open(queue.configuration)
      // A waiting connection executes no other call, not even for its process id.
      let pid = await connection.backend.pid
      let operators = try await Connection.open(queue.configuration)
      try await waitForAbsentStandby(operators, queue.configuration)
      for (number, way) in ways.enumerated() {
        for isByOperator in [false, true] {
          let writing = Task { try await way(connection) }
          try await expectWaiting(pid, seenBy: operators)
          if isByOperator {
            try await operators.sql("select pg_cancel_backend(\(pid))", in: queue.schema)
          } else {
            writing.cancel()
          }
          await expectSQLState(.unknownOutcome) { try await writing.value }
          // The server has nevertheless committed the transaction, and the connection is still
          // usable.
          #expect(
            try await connection.sql("select count(*) from written", in: queue.schema)
              == ["\(number * 2 + (isByOperator ? 2 : 1))"])
        }
      }
      for connection in [connection, operators] { await connection.close() }
    }
  }

  /// From now on, every COMMIT that has written data waits for a standby that does not exist.
  private func waitForAbsentStandby(
    _ connection: Connection, _ configuration: ConnectionConfiguration
  ) async throws {
    for text in [
      "alter system set synchronous_standby_names = 'absent'", "select pg_reload_conf()",
    ] {
      try await connection.script(Statement("test/set", text))
    }
    // The checkpointer sends the setting to the other processes, so a COMMIT may be executed before
    // the setting arrives.
    let probe = try await Connection.open(configuration)
    let pid = await probe.backend.pid
    let probing = Task {
      while true {
        try await probe.script(Statement("test/probe", "create table probe (); drop table probe"))
      }
    }
    try await expectWaiting(pid, seenBy: connection)
    try await connection.sql("select pg_terminate_backend(\(pid))", in: .standard)
    await #expect(throws: PostgresError.self) { try await probing.value }
    await probe.close()
  }

  private func expectWaiting(_ pid: Int32, seenBy other: Connection) async throws {
    try await eventually("a COMMIT that waits for the standby") {
      try await other.sql(
        "select from pg_stat_activity where pid = \(pid) and wait_event = 'SyncRep'",
        in: .standard
      ).count == 1
    }
  }
}
