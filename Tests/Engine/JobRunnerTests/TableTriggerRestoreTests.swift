import BatonJobs
import BatonPostgres
import TestSupport
import Testing

@testable import JobRunner

/// The views and triggers of declared tables, in a database that was restored from a dump.
@Suite(.timeLimit(.minutes(5))) struct TableTriggerRestoreTests {
  private static let declarations: [TableDeclaration] = [
    .of("whole", on: .insert, .update, .delete), .of("key", on: .update(of: "customer")),
    .of("several", on: .update(of: "status", "total", "note")),
    .of("carry", on: .update(of: "note"), payload: .columns("note", "status")),
    .of("change", on: .update(of: "total"), payload: .change(of: "total")),
    .of(
      "condition", on: .insert, .update(of: "total"), when: "status = 'new' and note is not null"),
  ]

  private static let views = """
    select relname || ':' || pg_get_viewdef(oid) from pg_class
    where relkind = 'v' and relname like 'wake%' order by relname
    """

  /// Restores the schema into another database as `docs/guides/backup.md` describes.
  private func restore(_ test: TestSchema, to address: String) async throws {
    let folder = try TemporaryFolder()
    let dump = folder.path + "/dump"
    try await PostgresProgram.run(
      "pg_dump",
      ["-Fc", "-d", test.configuration.address, "-n", test.schema.name, "-f", dump])
    try await PostgresProgram.run("pg_restore", ["-e", "-1", "-d", address, dump])
  }

  @Test(.sampled()) func `restored triggers record the same events as before the dump`()
    async throws
  {
    try await Orders.with { orders in
      let schema = orders.test.schema
      _ = try await TableTriggers(schema, of: "shop", Self.declarations).migrate(orders.connection)
      try await orders.test.sql(
        #"insert into orders (customer, note) values ('ann', '{"a": 1}'), ('bob', null)"#)
      let views = try await orders.texts(Self.views)
      #expect(views.count == Self.declarations.count)
      try await OwnDatabase.with { address, _ in
        try await restore(orders.test, to: address)
        try await TestSchema.with(schema, at: address) { test in
          let restored = Orders(test: test, connection: try await test.connect())
          #expect(try await restored.texts(Self.views) == views)
          for (write, isEmpty) in [
            ("update orders set total = total, status = status", true),
            (#"update orders set note = '{"a":1}' where customer = 'ann'"#, false),
            ("update orders set total = 7 where customer = 'bob'", false),
            ("update orders set customer = 'cid' where customer = 'bob'", false),
            ("update orders set customer = null where customer = 'cid'", false),
          ] {
            let events = try await orders.events(of: write)
            #expect(events.isEmpty == isEmpty, "\(write): \(events)")
            #expect(try await restored.events(of: write) == events)
          }
          await restored.connection.close()
        }
      }
    }
  }
}
