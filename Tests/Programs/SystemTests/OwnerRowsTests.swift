import BatonPostgres
import Foundation
import TestSupport
import Testing

/// Tests that policies exist for owners, because row-level security also applies to owners.
///
/// Without such policies, a migration would change no rows and a dump would contain none, without
/// any error.
@Suite(.timeLimit(.minutes(5))) struct OwnerRowsTests {
  @Test(.sampled())
  func `a migration of the owner changes every row, and a dump restores every row`()
    async throws
  {
    let place = try await RolePlace.make("rows")
    for name in ["Ann", "Ben"] {
      try await place.rows("select id from upsert_user('apple', '\(name)', '\(name)')", as: "api")
    }
    let counts = """
      select string_agg(format('%s %s', relname, (xpath('/row/c/text()', query_to_xml(
        format('select count(*) as c from %I', relname), false, true, '')))[1]), ', ' order by relname)
      from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')
      """
    let before = try await place.rows(counts)
    #expect(before.first?.contains("users 2") == true)
    let changed = try await place.rows(
      "with c as (update users set display_name = upper(display_name) returning 1) select count(*)::text from c",
      as: "migrator", sets: [("role", place.role("owner"))])
    #expect(changed == ["2"])

    let folder = try TemporaryFolder()
    let dump = folder.path + "/dump"
    func tool(_ name: String, _ arguments: String...) async throws {
      try await PostgresProgram.run(name, arguments)
    }
    try await tool(
      "pg_dump", "--enable-row-security", "--role", place.role("owner"), "--format", "custom",
      "--schema", place.schema.name, "--file", dump,
      try RoleServer.address(of: place.role("migrator")))
    let other = RoleServer.name("copy")
    try await RoleServer.administer("create database \(other)")
    try await tool(
      "pg_restore", "--dbname", try RoleServer.address(in: other), dump)
    let copy = try await RoleServer.connect(in: other)
    let after = try await copy.transaction(in: place.schema) { transaction in
      let list = Call<[String]>.rows(Statement("test/counts", counts)) {
        (row) throws(PostgresError) in try row.decode(String.self)
      }
      return try await transaction.run(list)
    }
    await copy.close()
    #expect(after == before)
    try await RoleServer.administer("drop database \(other)")
  }
}
