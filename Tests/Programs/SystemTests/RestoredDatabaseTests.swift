import BatonPostgres
import Foundation
import PrivateServer
import TestSupport
import Testing

/// Tests a database that is dumped, restored into another cluster and used further.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct RestoredDatabaseTests {
  @Test(.sampled())
  func `events that were not folded when the dump began are folded in the new cluster`()
    async throws
  {
    try await TestSchema.with { schema in
      let people = People(schema)
      try await schema.gymrats.succeed("migrate")
      try await people.join("u1", group: "g")
      try await schema.gymrats.succeed("worker", "--until-idle")
      #expect(try await people.record("u1", "w1") == "accepted")
      try await Restored.with(schema) { restored in
        // PostgreSQL prints some restored definitions with fewer parentheses.
        try await restored.gymrats.succeed("check")
        try await restored.gymrats.succeed("worker", "--until-idle")
        #expect(try await restored.published("u1") == "1")
        // The database is usable: transaction ids of the new cluster are far below the old
        // position.
        #expect(try await restored.record("u1", "w2") == "accepted")
        try await restored.gymrats.succeed("worker", "--until-idle")
        #expect(try await restored.published("u1") == "2")
      }
    }
  }

  @Test(.sampled()) func `a dump begun around a truncation loses no wake-up`() async throws {
    try await TestSchema.with { schema in
      let people = People(schema)
      try await people.join("u1", group: "g")
      try await schema.gymrats.succeed("worker", "--until-idle")
      #expect(try await people.record("u1", "w1") == "accepted")
      // In the dump's snapshot, the event exists and is not folded.
      let dumping = try await schema.connect()
      try await dumping.script(
        Statement("test/snapshot", "begin isolation level repeatable read; select 1"))
      let snapshot = try await dumping.run(
        .row(Statement("test/export", "select pg_export_snapshot()")) {
          (row) throws(PostgresError) in try row.decode(String.self)
        })
      // Before the dump locks its tables, the event is folded and its segment truncated.
      try await schema.gymrats.succeed("worker", "--until-idle")
      try await schema.sql("update event_segment set current = 1")
      #expect(try await schema.sql("select truncate_segment(0)") == ["t"])
      try await Restored.with(schema, snapshot: snapshot) { restored in
        #expect(try await restored.rows("select count(*)::text from event") == ["0"])
        #expect(try await restored.published("u1") == "0")
        try await restored.gymrats.succeed("worker", "--until-idle")
        #expect(try await restored.published("u1") == "1")
      }
      await dumping.close()
    }
  }

  @Test(.sampled())
  func `an event log that returns from another cluster without a dispatch is dispatched`()
    async throws
  {
    try await TestSchema.with { schema in
      let people = People(schema)
      try await people.join("u1", group: "g")
      // The ids are so high that all ids of the other cluster are lower.
      let busy = try await schema.connect()
      try await busy.script(
        Statement(
          "test/ids",
          "do $$ begin for i in 1..5000 loop perform pg_current_xact_id(); commit; end loop; end $$"
        ))
      await busy.close()
      #expect(try await people.record("u1", "w1") == "accepted")
      try await schema.gymrats.succeed("worker", "--until-idle")
      #expect(try await schema.sql("select from own_position").count == 1)
      try await Restored.with(schema) { other in
        #expect(try await other.rows("select from own_position").isEmpty)
        #expect(try await other.record("u1", "w2") == "accepted")
        #expect(
          try await other.rows(
            "select bool_and(pg_visible_in_snapshot(xact, snapshot)) from event, event_position")
            == ["t"])
        try await schema.sql("alter schema \(schema.schema) rename to left_behind")
        try await copy(schema.schema, from: other.address, to: schema.configuration.address)
      }
      try await schema.gymrats.succeed("worker", "--until-idle")
      #expect(try await people.published("u1") == 2)
      #expect(try await schema.sql("select from own_position").count == 1)
    }
  }
}

/// Dumps a schema and restores it.
private func copy(
  _ schema: Schema, from source: String, to target: String, snapshot: String? = nil
) async throws {
  let folder = try TemporaryFolder()
  let dump = folder.path + "/dump.sql"
  let options = snapshot.map { ["--snapshot=\($0)"] } ?? []
  try await PostgresProgram.run(
    "pg_dump", ["-d", source, "-n", schema.name, "-f", dump] + options)
  try await PostgresProgram.run("psql", ["-q", "-v", "ON_ERROR_STOP=1", "-d", target, "-f", dump])
}

/// A copy of a schema in a separate cluster.
private struct Restored {
  let address: String
  let schema: Schema

  var gymrats: BatonProgram {
    BatonProgram(environment: ["DATABASE_URL": address, "BATON_SCHEMA": schema.name])
  }

  static func with(
    _ source: TestSchema, snapshot: String? = nil, _ body: (Restored) async throws -> Void
  ) async throws {
    let folder = try TemporaryFolder()
    let server = PrivateServer(directory: folder.path + "/new", settings: [("fsync", "off")])
    defer { try? server.destroy() }
    let running = try await blocking { try server.up() }
    try await copy(
      source.schema, from: source.configuration.address, to: running.connectionString,
      snapshot: snapshot)
    try await body(Restored(address: running.connectionString, schema: source.schema))
  }

  func rows(_ text: String) async throws -> [String] {
    let connection = try await Connection.open(ConnectionConfiguration(address: address))
    let rows = try await connection.sql(text, in: schema)
    await connection.close()
    return rows
  }

  func published(_ user: String) async throws -> String? {
    try await rows(
      "select coalesce(sum(value), 0) from leaderboard where user_id = '\(user)' and type = 'check-ins'"
    ).first
  }

  func record(_ user: String, _ workout: String) async throws -> String? {
    try await rows("select outcome::text from record_workout('\(user)', '\(workout)')").first
  }
}
