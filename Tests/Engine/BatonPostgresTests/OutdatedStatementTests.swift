import BatonPostgres
import TestSupport
import Testing

/// Prepared statements that no longer fit the schema: one error, and then a new connection.
@Suite(.timeLimit(.minutes(5))) struct OutdatedStatementTests {
  private func change(_ text: String, in schema: Schema) async throws {
    try await withConnection { other in
      try await other.transaction(in: schema) { transaction in
        for part in text.split(separator: ";\n") {
          try await transaction.run(.execute("\(part)"))
        }
      }
    }
  }

  @Test(
    arguments: [
      ("create table t (a int)", "alter table t add column b int", "select * from t"),
      (
        "create function f() returns table (a int) language sql as 'select 1'",
        """
        drop function f();
        create function f() returns table (a int, b int) language sql as 'select 1, 2'
        """, "select * from f()"
      ),
    ])
  func `after a change of the result type, one call fails, and the next call works`(
    make: String, change: String, read: String
  ) async throws {
    try await withSchemas { _, schema, _ in
      try await self.change(make, in: schema)
      let session = SharedSession(
        ConnectionConfiguration(address: try TestServer.address), in: schema)
      try await session.atomically(.execute(read))
      try await self.change(change, in: schema)
      let error = await #expect(throws: PostgresError.self) {
        try await session.atomically(.execute(read))
      }
      #expect(error?.sqlState == .connectionFailure && error?.sqlState.isTransient == true)
      #expect(error?.statement == "test/\(read)")
      try await session.atomically(.execute(read))
      await session.close()
    }
  }

  @Test func `the transaction of an outdated statement is rolled back`() async throws {
    try await withSchemas { connection, schema, _ in
      let read = Call<Void>.execute("select * from t")
      let write = Call<Void>.execute("insert into t (a) values (1)")
      try await change("create table t (a int)", in: schema)
      try await connection.atomically(in: schema, read)
      try await change("alter table t add column b int", in: schema)
      await #expect(throws: PostgresError.self) {
        try await connection.transaction(in: schema) { transaction in
          try await transaction.run(write)
          try await transaction.run(read)
        }
      }
      #expect(connection.isBroken)
      try await withConnection { other in
        let rows = try await other.atomically(
          in: schema, .value("select count(*) from t", as: Int64.self))
        #expect(rows == 0)
      }
    }
  }

  @Test func `a statement that the server has forgotten is prepared on a new connection`()
    async throws
  {
    try await withSchemas { connection, schema, _ in
      try await connection.atomically(in: schema, .execute("select 1"))
      try await connection.script(Statement("test/deallocate", "deallocate all"))
      let error = await #expect(throws: PostgresError.self) {
        try await connection.atomically(in: schema, .execute("select 1"))
      }
      #expect(error?.sqlState.isTransient == true)
      #expect(connection.isBroken)
    }
  }

  /// A new connection would not help, so the error must not look like a lost connection.
  @Test func `an EXECUTE of a name that was never prepared is a mistake of the caller`()
    async throws
  {
    try await withConnection { connection in
      let error = await #expect(throws: PostgresError.self) {
        try await connection.run(.execute("execute nothing"))
      }
      #expect(error?.sqlState == "26000" && error?.sqlState.isTransient == false)
      #expect(!connection.isBroken)
    }
  }
}
