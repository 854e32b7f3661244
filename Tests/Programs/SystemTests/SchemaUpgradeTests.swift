import BatonPostgres
import ChallengesSQL
import IdentitySQL
import RunnerSQL
import TestSupport
import Testing

@testable import JobRunner

/// Tests that an upgraded database equals a new database, from any earlier version, and keeps its
/// rows.
@Suite(.timeLimit(.minutes(10))) struct SchemaUpgradeTests {
  private static let parts = [SQL.runner] + TestSchema.parts

  /// A stage of a schema: the number of applied migrations, part by part in their order.
  struct Stage: Sendable, CustomTestStringConvertible {
    let count: Int
    var testDescription: String { "\(count) migrations" }

    /// The parts at this stage.
    ///
    /// The last part has its definition of that time, and parts without applied migrations are
    /// missing.
    var parts: [SchemaPart] {
      var left = count
      return SchemaUpgradeTests.parts.compactMap { part in
        let applied = min(left, part.migrations.count)
        left -= applied
        return applied == 0 ? nil : Stage.cut(part, to: applied)
      }
    }

    /// Functions and views need tables, so they are created with the last migration.
    private static func cut(_ part: SchemaPart, to count: Int) -> SchemaPart {
      let isWhole = count == part.migrations.count
      return SchemaPart(
        part.name, version: isWhole ? part.version : 0,
        migrations: Array(part.migrations.prefix(count)),
        objects: isWhole ? part.objects : [])
    }

    static let all = (1...SchemaUpgradeTests.parts.flatMap(\.migrations).count).map {
      Stage(count: $0)
    }

    /// The tested stages: all stages, or the oldest stage and each stage at which a part is
    /// complete, with its functions and triggers.
    static var tried: [Stage] {
      guard !TestSize.isFull else { return all }
      var last = 0
      return [Stage(count: 1)]
        + SchemaUpgradeTests.parts.map { part in
          last += part.migrations.count
          return Stage(count: last)
        }
    }
  }

  /// The compared values: the definition, and the records about it.
  private struct Whole: Equatable {
    let dump: SchemaDump
    let books: [String]

    init(_ test: TestSchema) async throws {
      dump = try await SchemaDump.of(test)
      books = try await test.sql(
        """
        select part || ' ' || name || ' ' || sha256 from migration
        union all select part || ' ' || set_number from schema_part
        union all select part || ' ' || kind || ' ' || name || ' ' || relation || ' ' || sha256
        from schema_object
        order by 1
        """)
    }
  }

  private static let fresh = Task { try await TestSchema.with { try await Whole($0) } }

  private func expectFresh(
    _ test: TestSchema, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let (fresh, upgraded) = (try await Self.fresh.value, try await Whole(test))
    let difference = upgraded.dump.difference(from: fresh.dump)
    #expect(
      difference == "", "- is what is fresh, + what is upgraded:\n\(difference)",
      sourceLocation: sourceLocation)
    #expect(upgraded.books == fresh.books, sourceLocation: sourceLocation)
  }

  private func migrate(
    _ test: TestSchema, _ parts: [SchemaPart] = Self.parts
  ) async throws -> Migrator.Outcome {
    let connection = try await test.connect()
    let outcome = try await Migrator(test.schema, allParts: parts).migrate(connection)
    await connection.close()
    return outcome
  }

  @Test(.sampled(), arguments: Randomness.sample(2, of: Stage.tried))
  func `from any migration on`(stage: Stage) async throws {
    try await TestSchema.with(migrated: false) { test in
      _ = try await migrate(test, stage.parts)
      let rows = try await SchemaRows(in: test)
      #expect(rows.count > 1)
      let outcome = try await migrate(test)
      let all = Self.parts.flatMap { part in
        part.migrations.map { "\(part.name)/\($0.fileName)" }
      }
      #expect(outcome.migrations == Array(all.dropFirst(stage.count)))
      try await expectFresh(test)
      #expect(try await rows.lost(from: test) == [])
      #expect(try await migrate(test) == Migrator.Outcome())
    }
  }

  @Test(.sampled())
  func `from older functions, views and triggers; and the older program puts none back`()
    async throws
  {
    let older = try OlderVersions.parts
    try await TestSchema.with(migrated: false) { test in
      _ = try await migrate(test, older)
      let before = try await Whole(test)
      let rows = try await SchemaRows(in: test)
      let outcome = try await migrate(test)
      #expect(outcome.migrations == [])
      #expect(outcome.objects.sorted() == OlderVersions.differences.sorted())
      try await expectFresh(test)
      let hasChanged = try await Whole(test).dump != before.dump
      #expect(hasChanged)
      #expect(try await rows.lost(from: test) == [])
      let back = try await migrate(test, older)
      #expect(back == Migrator.Outcome(newerVersions: ["runner", "challenges"]))
      try await expectFresh(test)
    }
  }
}

/// The parts as in an earlier program.
private enum OlderVersions {
  /// The objects that the current program creates, replaces or drops.
  static let differences = [
    "function newest_ids", "view waiting_schedule", "view leaderboard",
    "function week_ended_content", "trigger entry_deleted",
    "trigger old_job_trigger", "view old_view", "function old_function",
    "trigger old_member_trigger", "view old_members", "function old_members_function",
  ]

  static var parts: [SchemaPart] {
    get throws {
      let runner = try older(
        SQL.runner, function: ("newest_ids", "999", "9"), view: "waiting_schedule",
        column: /,\n  s\.is_new, s\.until, s\.source\n/, without: nil,
        extra: ("old_function", "old_job_trigger", "job", "old_view"))
      let challenges = try older(
        SQL.challenges, function: ("week_ended_content", "See who won", "Look"),
        view: "leaderboard",
        column: /, (?:s\.last_updated|m\.joined_at)\n/, without: "entry_deleted",
        extra: (
          "old_members_function", "old_member_trigger", "member", "old_members"
        ))
      return [runner, SQL.identity, challenges]
    }
  }

  private static func older(
    _ part: SchemaPart, function: (name: String, present: String, older: String), view: String,
    column: Regex<Substring>, without trigger: String?,
    extra: (function: String, trigger: String, table: String, view: String)
  ) throws -> SchemaPart {
    var objects = try part.objects.filter { $0.kind != .trigger || $0.name != trigger }.map {
      object in
      switch (object.kind, object.name) {
      case (.function, function.name):
        return try edited(object) { $0.replacing(function.present, with: function.older) }
      case (.view, view): return try edited(object) { $0.replacing(column, with: "\n") }
      default: return object
      }
    }
    objects += [
      SchemaObject(
        .function, extra.function,
        Statement(
          "functions/\(extra.function)",
          """
          create or replace function \(extra.function)() returns trigger
          language plpgsql as $$ begin return null; end $$
          """)),
      SchemaObject(
        .view, extra.view,
        Statement(
          "views/\(extra.view)", "create or replace view \(extra.view) as select * from \(view)")),
      SchemaObject(
        .trigger, extra.trigger, table: extra.table,
        Statement(
          "triggers/\(extra.trigger)",
          """
          create or replace trigger \(extra.trigger) after insert on \(extra.table)
          for each row execute function \(extra.function)()
          """)),
    ]
    return SchemaPart(
      part.name, version: part.version - 1, migrations: part.migrations, objects: objects)
  }

  private static func edited(
    _ object: SchemaObject, _ edit: (String) -> String
  ) throws -> SchemaObject {
    let text = edit(object.statement.text)
    guard text != object.statement.text else {
      throw TestFailure("\(object.name) has another text; choose what an older one lacks")
    }
    return SchemaObject(
      object.kind, object.name, table: object.table, Statement(object.statement.name, text))
  }
}
