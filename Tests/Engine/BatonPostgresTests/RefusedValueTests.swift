import BatonPostgres
import Foundation
import TestSupport
import Testing

/// A value that cannot be sent or read causes an error and is never replaced by a default.
///
/// The connection remains usable.
struct RefusedValueTests {
  private func expectRefusal<Output>(
    _ call: Call<Output>, _ state: SQLState, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    try await withConnection { connection in
      let error = await #expect(throws: PostgresError.self, sourceLocation: sourceLocation) {
        try await connection.run(call)
      }
      #expect(error?.sqlState == state, sourceLocation: sourceLocation)
      #expect(error?.statement == call.statement.name, sourceLocation: sourceLocation)
      let answer = try await connection.run(.value("select 'usable'", as: String.self))
      #expect(answer == "usable", sourceLocation: sourceLocation)
      #expect(!connection.isBroken, sourceLocation: sourceLocation)
    }
  }

  @Test(arguments: ["\0", "a\0b", "\0a", "a\0"])
  func `NUL in a text is refused before anything is sent`(text: String) async throws {
    try await expectRefusal(.value("select $1::text", text, as: String.self), "22021")
    try await expectRefusal(
      .value("select cardinality($1::text[])", ["a", text], as: Int32.self), "22021")
  }

  @Test func `NUL in one call of a pipeline keeps the calls ahead of it from running`()
    async throws
  {
    try await withSchemas { connection, schema, _ in
      try await connection.script(Statement("test/t", "create table \(schema.name).t (a text)"))
      let insert = "insert into \(schema.name).t values ($1)"
      await expectSQLState(.characterNotInRepertoire) {
        try await connection.pipeline(.execute(insert, "a"), .execute(insert, "\0"))
      }
      await expectSQLState(.characterNotInRepertoire) {
        try await connection.pipeline([.execute(insert, "a"), .execute(insert, "\0")])
      }
      let count = try await connection.run(
        .value("select count(*) from \(schema.name).t", as: Int64.self))
      #expect(count == 0)
    }
  }

  @Test func `a column of another type is refused`() async throws {
    try await expectRefusal(.value("select 1::bigint", as: Int32.self), "22000")
    try await expectRefusal(.value("select 1::integer", as: Int64.self), "22000")
    try await expectRefusal(.value("select 1", as: Bool.self), "22000")
    try await expectRefusal(.value("select 1", as: String.self), "22000")
    try await expectRefusal(.value("select '1'::text", as: Int32.self), "22000")
    try await expectRefusal(.value("select now()::timestamp", as: Timestamp.self), "22000")
    try await expectRefusal(.value("select 'x'::text", as: UUID.self), "22000")
    try await expectRefusal(.value("select '{}'::jsonb", as: String.self), "22000")
  }

  @Test func `NULL is refused where a value is asked for`() async throws {
    try await expectRefusal(.value("select null::integer", as: Int32.self), "22000")
    try await expectRefusal(.value("select null::text", as: String.self), "22000")
    try await expectRefusal(.value("select null::boolean", as: Bool.self), "22000")
    try await expectRefusal(.value("select null::uuid", as: UUID.self), "22000")
    try await expectRefusal(.value("select null::timestamptz", as: Timestamp.self), "22000")
  }

  @Test func `another number of columns or rows is refused`() async throws {
    try await expectRefusal(.value("select 1, 2", as: Int32.self), "22000")
    try await expectRefusal(.value("select from (values (1)) v", as: Int32.self), "22000")
    try await expectRefusal(.value("select 1 where false", as: Int32.self), "22000")
    try await expectRefusal(.value("select generate_series(1, 2)", as: Int32.self), "22000")
  }

  @Test(arguments: ["infinity", "-infinity", "294276-12-31 23:59:59.999999+00"])
  func `an instant that no Timestamp holds is refused`(text: String) async throws {
    try await expectRefusal(.value("select '\(text)'::timestamptz", as: Timestamp.self), "22000")
  }

  @Test func `a Timestamp that the server cannot hold is refused`() async throws {
    try await expectRefusal(
      .value("select $1::timestamptz", Timestamp(microseconds: .min), as: Timestamp.self), "22000")
  }

  @Test func `a value of another type than the statement's is refused by the server`()
    async throws
  {
    try await expectRefusal(.value("select $1::integer + 1", "x", as: Int32.self), "22P02")
  }
}
