import BatonPostgres
import TestSupport
import Testing

/// Tests the text of errors, and which readers see which text.
struct PostgresErrorTests {
  @Test func `values of rows are in the debug description only`() async throws {
    try await withSchemas { connection, schema, _ in
      let error = await #expect(throws: PostgresError.self) {
        try await connection.atomically(
          in: schema,
          .execute("create table t (secret text constraint only_once unique)"),
          .execute("insert into t values ('ann@example.org')"),
          .run(Statement("test/again", "insert into t values ('ann@example.org')")))
      }
      let found = try #require(error)
      #expect(found.sqlState == .uniqueViolation)
      #expect(found.constraint == "only_once")
      #expect(found.statement == "test/again")
      #expect(found.detail?.contains("ann@example.org") == true)
      #expect(found.debugDescription.contains("ann@example.org"))
      #expect(!found.description.contains("ann@example.org"))
      #expect(!"\(found)".contains("ann@example.org"))
      #expect(found.description.contains("[23505]"))
    }
  }

  @Test func `the server's hint is kept`() async throws {
    try await withConnection { connection in
      let error = await #expect(throws: PostgresError.self) {
        try await connection.script(
          Statement(
            "test/raise",
            "do $$ begin raise exception 'no' using errcode = 'ZB999', hint = 'do this'; end $$"))
      }
      #expect(error?.sqlState == "ZB999")
      #expect(error?.message == "no")
      #expect(error?.hint == "do this")
      #expect(error?.statement == "test/raise")
    }
  }

  @Test(
    arguments: [
      ("40001", true), ("40P01", true), ("55P03", true), ("55006", true), ("57014", true),
      ("53300", true), ("53200", true), ("53100", true), ("08000", true), ("08001", true),
      ("08006", true), ("08P01", true), ("57P01", true), ("57P02", true), ("57P03", true),
      ("57P05", true), ("23505", false), ("22021", false), ("42P01", false), ("25P02", false),
      ("28P01", false), ("ZB001", false), ("ZB010", false), ("XX000", false), ("0A000", false),
      ("57P04", false), ("22000", false),
    ])
  func `a state says whether the same work may succeed later`(code: String, isTransient: Bool) {
    #expect(SQLState(code).isTransient == isTransient)
  }

  @Test(arguments: ["08001", "08006", "57P01", "57P02", "57P03", "57P05"])
  func `these states mean that the connection is gone`(code: String) {
    #expect(SQLState(code).isConnectionLoss)
  }

  @Test(
    arguments: [
      ("57P01", true), ("57P02", true), ("57P05", true), ("57P03", false), ("08006", false),
    ])
  func `isTermination is true if the server ended the session`(code: String, isTermination: Bool) {
    #expect(SQLState(code).isTermination == isTermination)
  }

  @Test(arguments: ["40001", "57014", "53300", "57P04", "28P01", "00000"])
  func `these states do not`(code: String) {
    #expect(!SQLState(code).isConnectionLoss)
  }
}

/// A schema's name is inserted into statements, so a valid name never needs quotes.
struct SchemaTests {
  @Test(arguments: [
    "gymrats", "a", "_", "_1", "baton_2", "test_123", String(repeating: "x", count: 63),
  ])
  func `a plain name is taken`(name: String) {
    #expect(Schema(name)?.name == name)
  }

  @Test(
    arguments: [
      "", "Baton", "1a", "a-b", "a b", "a\"b", "a'b", "a;b", "a,b", "a.b", "ä", "a\0", "$user",
      "public", "information_schema", "pg_temp", "pg_catalog", "pg_", "a\n",
      String(repeating: "x", count: 64),
    ])
  func `anything else is refused`(name: String) {
    #expect(Schema(name) == nil)
  }
}
