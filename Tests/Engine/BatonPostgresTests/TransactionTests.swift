import BatonPostgres
import TestSupport
import Testing

/// Tests that a transaction is atomic and READ COMMITTED, and that names resolve in one schema.
struct TransactionTests {
  private struct Stop: Error {}

  private func count(_ connection: Connection, _ schema: Schema) async throws -> Int64 {
    try await connection.atomically(
      in: schema, .value("select count(*) from t", as: Int64.self))
  }

  @Test func `what throws is rolled back, what returns is committed`() async throws {
    try await withSchemas { connection, schema, _ in
      try await connection.atomically(in: schema, .execute("create table t (a int)"))
      await #expect(throws: Stop.self) {
        try await connection.transaction(in: schema) { transaction in
          try await transaction.run(.execute("insert into t values (1)"))
          throw Stop()
        }
      }
      #expect(try await count(connection, schema) == 0)
      try await connection.transaction(in: schema) { transaction in
        try await transaction.run(.execute("insert into t values (1)"))
      }
      #expect(try await count(connection, schema) == 1)
    }
  }

  @Test func `a transaction that sends nothing is no error and leaves nothing open`() async throws {
    try await withSchemas { connection, schema, _ in
      let before = await connection.roundTrips
      let answer = try await connection.transaction(in: schema) { _ in 5 }
      #expect(answer == 5)
      await #expect(throws: Stop.self) {
        try await connection.transaction(in: schema) { _ in throw Stop() }
      }
      #expect(await connection.roundTrips == before)
    }
  }

  @Test func `a swallowed error does not make the commit a success`() async throws {
    try await withSchemas { connection, schema, _ in
      try await connection.atomically(in: schema, .execute("create table t (a int)"))
      let error = await #expect(throws: PostgresError.self) {
        try await connection.transaction(in: schema) { transaction in
          try await transaction.run(.execute("insert into t values (1)"))
          _ = try? await transaction.run(.execute("select 1 / 0"))
        }
      }
      #expect(error?.sqlState == .inFailedTransaction)
      #expect(try await count(connection, schema) == 0)
    }
  }

  @Test func `atomically commits all or none`() async throws {
    try await withSchemas { connection, schema, _ in
      try await connection.atomically(in: schema, .execute("create table t (a int unique)"))
      let insert = { (value: Int32) in Call<Void>.execute("insert into t values ($1)", value) }
      let error = await #expect(throws: PostgresError.self) {
        try await connection.atomically(in: schema, insert(1), insert(2), insert(1))
      }
      #expect(error?.sqlState == .uniqueViolation)
      #expect(try await count(connection, schema) == 0)
      try await connection.atomically(in: schema, insert(1), insert(2))
      #expect(try await count(connection, schema) == 2)
    }
  }

  @Test func `a transaction costs no round trip but its calls and its commit`() async throws {
    try await withSchemas { connection, schema, _ in
      let before = await connection.roundTrips
      try await connection.atomically(in: schema, .execute("select 1"), .execute("select 2"))
      #expect(await connection.roundTrips - before == 1)
      try await connection.transaction(in: schema) { transaction in
        try await transaction.run(.execute("select 1"))
      }
      #expect(await connection.roundTrips - before == 3)
    }
  }

  @Test func `deferred calls cost no round trip, and are committed without another call`()
    async throws
  {
    try await withSchemas { connection, schema, _ in
      try await connection.atomically(in: schema, .execute("create table t (a int)"))
      let session = Session(connection, in: schema)
      let before = await connection.roundTrips
      try await session.transaction(deferring: [.execute("insert into t values (1)")]) {
        try await $0.run(.execute("insert into t select count(*) + 1 from t"))
      }
      #expect(await connection.roundTrips - before == 2)
      try await session.transaction(deferring: [.execute("insert into t values (3)")]) { _ in }
      #expect(await connection.roundTrips - before == 3)
      #expect(try await count(connection, schema) == 3)
      // A script is sent after the deferred calls, in the transaction.
      await #expect(throws: Stop.self) {
        try await session.transaction(deferring: [.execute("insert into t values (4)")]) {
          try await $0.script(Statement("test/script", "insert into t values (5)"))
          throw Stop()
        }
      }
      #expect(try await count(connection, schema) == 3)
    }
  }

  @Test func `the error of a deferred call is thrown, also if the body hides the error`()
    async throws
  {
    try await withSchemas { connection, schema, _ in
      let session = Session(connection, in: schema)
      for isReplaced in [false, true] {
        let error = await #expect(throws: PostgresError.self) {
          try await session.transaction(deferring: [.execute("select 1 / 0")]) {
            do {
              try await $0.run(.execute("select 1"))
            } catch {
              if isReplaced { throw Stop() }
            }
          }
        }
        #expect(error?.sqlState == "22012")
      }
      // The next transaction has no deferred calls.
      await #expect(throws: Stop.self) {
        try await connection.transaction(in: schema) { _ in throw Stop() }
      }
    }
  }

  @Test func `it is READ COMMITTED whatever the session's default is`() async throws {
    try await withSchemas { connection, schema, _ in
      let level = Call.value("select current_setting('transaction_isolation')", as: String.self)
      for unwanted in ["serializable", "repeatable read"] {
        try await connection.script(
          Statement("test/default", "set default_transaction_isolation = '\(unwanted)'"))
        #expect(try await connection.atomically(in: schema, level) == "read committed")
        let inside = try await connection.transaction(in: schema) { transaction in
          try await transaction.run(level)
        }
        #expect(inside == "read committed")
      }
    }
  }

  @Test func `domain statements see UTC whatever the server's time zone is`() async throws {
    try await withSchemas { connection, schema, _ in
      let zone = Call.value("select current_setting('timezone')", as: String.self)
      let before = try await connection.run(zone)
      #expect(before == "America/New_York")
      #expect(try await connection.atomically(in: schema, zone) == "UTC")
      #expect(try await connection.run(zone) == before)
    }
  }
}

/// The search path is set in each transaction, because a pooler discards the settings of a session.
struct SearchPathTests {
  @Test func `one connection resolves bare names in the schema of each transaction`() async throws {
    try await withSchemas { connection, one, two in
      for (schema, value) in [(one, "one"), (two, "two")] {
        try await connection.atomically(
          in: schema, .execute("create table t as select '\(value)'::text as a"))
      }
      let read = Call.value("select a from t", as: String.self)
      // The same prepared statement is run alternately in both schemas.
      for _ in 0..<3 {
        #expect(try await connection.atomically(in: one, read) == "one")
        #expect(try await connection.atomically(in: two, read) == "two")
      }
    }
  }

  @Test func `nothing of it outlives the transaction, committed or not`() async throws {
    try await withSchemas { connection, schema, _ in
      let path = Call.value("select current_setting('search_path')", as: String.self)
      let before = try await connection.run(path)
      #expect(try await connection.atomically(in: schema, path) == "\(schema.name), pg_temp")
      #expect(try await connection.run(path) == before)
      await expectSQLState("22012") {
        try await connection.atomically(in: schema, .execute("select 1 / 0"))
      }
      #expect(try await connection.run(path) == before)
    }
  }

  @Test func `a temporary table cannot take the place of a real one`() async throws {
    try await withSchemas { connection, schema, _ in
      try await connection.atomically(
        in: schema, .execute("create table t as select 'real'::text as a"))
      try await connection.script(
        Statement("test/temp", "create temporary table t as select 'temporary'::text as a"))
      let found = try await connection.atomically(
        in: schema, .value("select a from t", as: String.self))
      #expect(found == "real")
    }
  }

  @Test func `planning by index forbids sequential scans in its transaction only`() async throws {
    try await withSchemas { connection, schema, _ in
      let scans = Call.value("select current_setting('enable_seqscan')", as: String.self)
      let inside = try await Session(connection, in: schema).atomically(scans)
      #expect(inside == "off")
      #expect(try await connection.atomically(in: schema, scans) == "on")
      #expect(try await connection.run(scans) == "on")
    }
  }

  @Test func `nothing is compiled in a transaction, however it plans`() async throws {
    try await withSchemas { connection, schema, _ in
      try await connection.script(Statement("test/jit", "set jit = on"))
      let jit = Call.value("select current_setting('jit')", as: String.self)
      #expect(try await Session(connection, in: schema).atomically(jit) == "off")
      #expect(try await connection.atomically(in: schema, jit) == "off")
      #expect(try await connection.run(jit) == "on")
    }
  }
}
