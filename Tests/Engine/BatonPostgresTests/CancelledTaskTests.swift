import BatonPostgres
import TestSupport
import Testing

/// The cancellation of a task ends its own statement, and no other statement.
@Suite(.timeLimit(.minutes(5)))
struct CancelledTaskTests {
  private let isAsleep =
    "select exists (select from pg_stat_activity where pid = $1 and wait_event = 'PgSleep')"
  private let hasLock =
    "select exists (select from pg_locks where pid = $1 and locktype = 'advisory')"
  /// Shows that a task of many short statements has begun.
  private let lock = Call<Void>.execute("select pg_advisory_lock(pg_backend_pid())")

  /// Cancels the task as soon as a query shows that its connection has begun.
  ///
  /// Returns the task's error.
  private func cancel(
    on connection: Connection, once hasBegun: String,
    _ work: @escaping @Sendable () async throws -> Void,
    then goOn: () async throws -> Void = {}
  ) async throws {
    let pid = await connection.backend.pid
    try await withConnection { observer in
      let task = Task { try await work() }
      try await eventually("the beginning") {
        try await observer.run(.value(hasBegun, pid, as: Bool.self))
      }
      task.cancel()
      try await expectTime(below: .seconds(1) * patience, "the end of a cancelled task") {
        try await goOn()
        let error = await #expect(throws: PostgresError.self) { try await task.value }
        #expect(error?.sqlState == .queryCanceled)
      }
    }
  }

  @Test func `a statement ends with its task, and the connection goes on`() async throws {
    try await withConnection { connection in
      try await cancel(on: connection, once: isAsleep) {
        try await connection.run(.execute("select pg_sleep(60)"))
      }
      let one = try await connection.run(.value("select 1", as: Int32.self))
      #expect(one == 1)
    }
  }

  @Test func `a script ends with its task, and the connection goes on`() async throws {
    try await withConnection { connection in
      try await cancel(on: connection, once: isAsleep) {
        try await connection.script(
          Statement("test/script", "select 1; select pg_sleep(60); select 2"))
      }
      let one = try await connection.run(.value("select 1", as: Int32.self))
      #expect(one == 1)
    }
  }

  @Test func `a transaction of a cancelled task is rolled back, and the next one is its own`()
    async throws
  {
    try await withSchemas { connection, schema, _ in
      try await connection.script(Statement("test/t", "create table \(schema.name).t (a int)"))
      try await cancel(on: connection, once: isAsleep) {
        try await connection.transaction(in: schema) { transaction in
          try await transaction.run(.execute("insert into t values (1)"))
          try await transaction.run(.execute("select pg_sleep(60)"))
        }
      }
      try await connection.atomically(in: schema, .execute("insert into t values (2)"))
      let found = try await connection.atomically(
        in: schema, .value("select array_agg(a)::text from t", as: String.self))
      #expect(found == "{2}")
    }
  }

  /// A cancelled task must still release its resources.
  @Test func `what a task does after its cancellation runs to its end`() async throws {
    try await withConnection { connection in
      let task = Task {
        while !Task.isCancelled { await Task.yield() }
        return try await connection.run(.value("select 1 from pg_sleep(0.5)", as: Int32.self))
      }
      task.cancel()
      let one = try await task.value
      #expect(one == 1)
    }
  }

  /// Each of the statements ends before the task checks whether it was cancelled.
  @Test func `a transaction of a cancelled task begins nothing more`() async throws {
    try await withSchemas { connection, schema, _ in
      try await connection.script(Statement("test/t", "create table \(schema.name).t (a int)"))
      let lock = lock
      try await cancel(on: connection, once: hasLock) {
        try await connection.transaction(in: schema) { transaction in
          try await transaction.run(lock)
          let end = ContinuousClock.now + .seconds(20) * patience
          while .now < end { try await transaction.run(.execute("insert into t values (1)")) }
        }
      }
      let rows = try await connection.atomically(
        in: schema, .value("select count(*) from t", as: Int64.self))
      #expect(rows == 0)
    }
  }

  @Test func `many short calls end with their task`() async throws {
    try await withConnection { connection in
      let short = Call<Void>.execute("select pg_sleep(0.0001)")
      let calls = [lock] + Array(repeating: short, count: 50_000)
      try await cancel(on: connection, once: hasLock) {
        _ = try await connection.pipeline(calls).count
      }
      let one = try await connection.run(.value("select 1", as: Int32.self))
      #expect(one == 1)
    }
  }

  @Test func `a transaction begun by a cancelled task runs to its end`() async throws {
    try await withSchemas { connection, schema, _ in
      try await connection.script(Statement("test/t", "create table \(schema.name).t (a int)"))
      let task = Task {
        while !Task.isCancelled { await Task.yield() }
        try await connection.transaction(in: schema) { transaction in
          for _ in 1...3 { try await transaction.run(.execute("insert into t values (1)")) }
        }
      }
      task.cancel()
      try await task.value
      let rows = try await connection.atomically(
        in: schema, .value("select count(*) from t", as: Int64.self))
      #expect(rows == 3)
    }
  }

  @Test func `a server that does not hear of a cancellation is asked again`() async throws {
    try await LoopbackLogin.make()
    let proxy = try FaultProxy(before: TestServer.loopbackPort)
    defer { proxy.close() }
    let connection = try await Connection.open(ConnectionConfiguration(address: proxy.address))
    // A request for a cancellation opens another connection.
    proxy.cutEach { 1 }
    try await cancel(on: connection, once: isAsleep) {
      try await connection.run(.execute("select pg_sleep(60)"))
    } then: {
      try await eventually("a request that is lost") { proxy.cuts > 0 }
      proxy.cutEach(after: nil)
    }
    await connection.close()
  }

  @Test func `a cancellation that meets the end of its statement hits no later one`() async throws {
    try await withConnection { connection in
      for round in 0..<200 {
        let task = Task { try await connection.run(.execute("select pg_sleep(0.002)")) }
        try await Task.sleep(for: .microseconds(1_000 + round * 10))
        task.cancel()
        _ = try? await task.value
        let seven = try await connection.run(.value("select 7", as: Int32.self))
        #expect(seven == 7)
      }
    }
  }
}
