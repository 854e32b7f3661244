import BatonPostgres
import Foundation
import JobRunner
import TestSupport
import Testing

/// Compares the tables of the whole schema with one file, which shows the effect of a changed
/// migration.
///
/// The file contains no functions and views, because each of them has its own file, which already
/// shows changes.
@Suite(.timeLimit(.minutes(5))) struct GoldenSchemaTests {
  private static let file = Checkout.root.appending(path: "Tests/Golden/schema.sql")

  private static var isWriting: Bool {
    ProcessInfo.processInfo.environment["BATON_GOLDEN"] == "write"
  }

  private static func header(_ version: String) -> String {
    """
    -- Generated; do not edit. Renew it with: BATON_GOLDEN=write Tests/run --filter GoldenSchemaTests
    --
    -- The types and tables of a fresh `gymrats migrate`, with their indexes, constraints and triggers. Functions and views
    -- are in separate files. Dumped by PostgreSQL \(version), sorted by GoldenSchemaTests. No program reads this file.
    -- The file is long, because a test compares it as a whole, and readers search it for a table.

    """
  }

  /// Each version of PostgreSQL prints views in its own format.
  private static var isOfThisVersion: Bool {
    get async throws {
      guard !isWriting else { return true }
      let version = try await PostgresProgram.majorVersion
      return try String(contentsOf: file, encoding: .utf8)
        .contains("Dumped by PostgreSQL \(version),")
    }
  }

  @Test(
    .enabled("the file was dumped by another PostgreSQL") { try await Self.isOfThisVersion })
  func `the tables of a fresh schema are those that Tests/Golden/schema.sql shows`() async throws {
    let version = try await PostgresProgram.majorVersion
    let dump = try await TestSchema.with {
      try await SchemaDump.of($0, sections: [.types, .tables])
    }
    let present = SchemaDump(text: Self.header(version) + "\n" + dump.text)
    guard !Self.isWriting else {
      try present.text.write(to: Self.file, atomically: true, encoding: .utf8)
      return
    }
    let golden = SchemaDump(text: try String(contentsOf: Self.file, encoding: .utf8))
    let difference = present.difference(from: golden)
    #expect(
      difference == "",
      """
      The schema is not the one of Tests/Golden/schema.sql; - is the file's, + is what there is:
      \(difference)
      If that is meant: BATON_GOLDEN=write Tests/run --filter GoldenSchemaTests
      """)
  }

  @Test func `a session with other settings makes the same schema`() async throws {
    let plain = try await TestSchema.with { try await SchemaDump.of($0) }
    try await TestSchema.with(migrated: false) { test in
      let foreign = try await SettingsCaller.connect(
        SettingsCaller.foreign + ["TimeZone=Asia/Kathmandu"], to: test.configuration)
      _ = try await Migrator(test.schema, parts: TestSchema.parts).migrate(foreign)
      await foreign.close()
      #expect(try await SchemaDump.of(test).difference(from: plain) == "")
    }
  }

  @Test(.enabled(if: TestSize.isFull, "each kind of change in a dump: make test-all"))
  func `a dump shows each kind of change`() async throws {
    try await TestSchema.with { test in
      var was = try await SchemaDump.of(test)
      for change in [
        "alter table week_reopening add column more integer",
        "alter table notification_7 set (fillfactor = 80)",
        "alter table setting alter grace set default '11 minutes'",
        "alter table entry drop constraint entry_value_check",
        "drop index challenge_final",
        "alter index run_history_job rename to run_history_by_job",
        "alter type run_state add value 'waiting'",
        "drop trigger grace_changed on setting",
        "comment on table entry is 'facts'",
        "alter function append_events(text, text[]) security definer",
        "create or replace view leaderboard as select * from (\(leaderboard)) l order by 1",
        "alter table event_2 alter recorded_at set default \(test.schema.name).now()",
      ] {
        try await test.sql(change)
        let now = try await SchemaDump.of(test)
        #expect(now != was && !now.difference(from: was).isEmpty, "\(change)")
        #expect(now.difference(from: now) == "")
        was = now
      }
    }
  }

  private let leaderboard = """
    select c.group_id, c.week_start, c.type, s.challenge_id, s.user_id, s.display_name, s.photo_url,
      s.value, s.rank, s.position, s.last_updated
    from standing s join challenge c on c.id = s.challenge_id
    """
}
