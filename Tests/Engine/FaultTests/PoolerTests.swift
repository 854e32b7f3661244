import BatonPostgres
import Foundation
import JobRunner
import Synchronization
import TestSupport
import Testing

/// PgBouncer in transaction mode guarantees a client only its transactions.
@Suite(.timeLimit(.minutes(5)))
struct PoolerTests {
  @Test func `a connection knows whether its server process is its own`() async throws {
    try await PgBouncer.with { pooler in
      let pooled = try await pooler.connect()
      let direct = try await Connection.open(ConnectionConfiguration(address: TestServer.address))
      #expect(await !pooled.isDirect)
      #expect(await direct.isDirect)
      await pooled.close()
      await direct.close()
    }
  }

  @Test func `a test of both ways runs behind the pooler the second time, and is seen there`()
    async throws
  {
    let pooler = try await PgBouncer.shared
    let before = try await pooler.transactions()
    let ways = Mutex<[Bool]>([])
    try await BothWays.bothWays.provideScope(
      for: try #require(Test.current), testCase: Test.Case.current
    ) {
      try await TestSchema.with { schema in
        let connection = try await schema.connect()
        for _ in 0..<50 { try await connection.sql("select 1", in: schema.schema) }
        let isDirect = await connection.isDirect
        ways.withLock { $0.append(isDirect) }
        await connection.close()
      }
    }
    #expect(ways.withLock { $0 } == [true, false])
    let after = try await pooler.transactions()
    #expect(after - before >= 50)
  }

  @Test(.sampled())
  func `nothing that one client sets reaches the next client of its server process`()
    async throws
  {
    try await PgBouncer.with(poolSize: 1) { pooler in
      let settings = Statement(
        "test/settings",
        """
        select array_to_string(array(
          select name || '=' || setting from pg_settings where name in ('search_path', 'TimeZone',
            'enable_seqscan', 'jit', 'statement_timeout', 'lock_timeout', 'synchronous_commit',
            'idle_in_transaction_session_timeout') order by name), ' ')
          || ' ' || (select count(*) from pg_prepared_statements)
        """)
      let read = Call.row(settings) { (row) throws(PostgresError) in
        try row.decode(String.self)
      }
      // All checks use one database, because a pooler has separate server processes for each
      // database.
      try await TestSchema.with(at: pooler.address) { schema in
        let address = schema.configuration.address
        let before = try await lent(address) { try await $0.run(read) }
        let people = People(schema)
        try await people.join("u1", group: "g")
        #expect(try await people.record("u1", "w1") == "accepted")
        try await schema.gymrats.succeed("worker", "--until-idle")
        let relaxed = try await Connection.open(
          ConnectionConfiguration(address: address, isDurable: false))
        try await Session(relaxed, in: schema.schema).transaction {
          transaction in
          try await transaction.run(read)
        }
        await relaxed.close()
        #expect(try await people.published("u1") == 1)
        #expect(try await lent(address) { try await $0.run(read) } == before)
        #expect(before.hasSuffix("0"))
      }
    }
  }

  @Test(.sampled()) func `twenty migrators at once through three server processes`()
    async throws
  {
    try await PgBouncer.with { pooler in
      try await TestSchema.with(migrated: false, at: pooler.address) { schema in
        let applied = try await withThrowingTaskGroup(of: [String].self) { group in
          for _ in 0..<20 {
            group.addTask {
              let connection = try await pooler.connect()
              let outcome = try await Migrator(schema.schema, parts: TestSchema.parts)
                .migrate(connection)
              await connection.close()
              return outcome.migrations
            }
          }
          return try await group.reduce([], +)
        }
        #expect(!applied.isEmpty)
        #expect(Set(applied).count == applied.count)
        let listed = try await schema.sql("select part || '/' || name from migration")
        #expect(listed.sorted() == applied.sorted())
        try await schema.gymrats.succeed("migrate")
        try await schema.gymrats.succeed("check")
      }
    }
  }

  @Test(.sampled()) func `a replay through the pooler shows the boards of the oracle`()
    async throws
  {
    try await PgBouncer.with { pooler in
      try await TestSchema.with(at: pooler.address) { schema in
        // `make test-all` replays all eleven years of the file.
        let isFull = TestSize.isFull
        let days = isFull ? [] : ["--from", "2024-01-01", "--to", "2024-07-01"]
        try await schema.gymrats.succeed(["replay", CheckInData.edges.path] + days)
        let lines = try await CheckInData.edges.lines().filter {
          isFull || (1_704_067_200_000_000..<1_719_792_000_000_000).contains($0.instant)
        }
        let expected = try await blocking { Oracle.boards(of: lines) }
        try #require(!expected.isEmpty)
        let difference = Oracle.difference(
          expected: expected, actual: try await schema.gymrats.boards())
        #expect(difference == [])
      }
    }
  }

  @Test(.sampled()) func `forty clients record at once and every workout counts once`() async throws
  {
    let random = Randomness()
    try await PgBouncer.with { pooler in
      try await TestSchema.with(at: pooler.address) { schema in
        let load = WorkoutLoad(schema: schema, groups: 10)
        try await load.join()
        let worker = try schema.gymrats.start("worker")
        defer { worker.signal(SIGKILL) }
        let workouts = try await load.record(
          writers: 40, random, pause: .zero, most: 10, until: { false })
        #expect(workouts == 400)
        worker.signal(SIGTERM)
        #expect(try await worker.wait(within: .seconds(30)).status == 0)
        try await schema.gymrats.succeed("worker", "--until-idle")
        try await load.expectBoards(of: workouts)
      }
    }
  }

  private func lent<R: Sendable>(
    _ address: String, _ body: (Connection) async throws -> R
  ) async throws -> R {
    let connection = try await Connection.open(ConnectionConfiguration(address: address))
    let result = try await body(connection)
    await connection.close()
    return result
  }
}
