import Foundation
import TestSupport
import Testing

/// Tests `gymrats verify`, as an operator uses it.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct VerifyCommandTests {
  private func withBoards(_ body: (TestSchema) async throws -> Void) async throws {
    try await TestSchema.with { schema in
      try await schema.gymrats.succeed("migrate")
      let people = People(schema)
      for user in ["ann", "bob"] {
        try await people.join(user, group: "g")
        #expect(try await people.record(user, "w") == "accepted")
      }
      try await schema.gymrats.succeed("worker", "--until-idle")
      try await body(schema)
    }
  }

  /// Disables the triggers for one statement, as the owner may.
  private func change(_ table: String, _ statement: String, in schema: TestSchema) async throws {
    try await schema.sql("alter table \(table) disable trigger user")
    try await schema.sql(statement)
    try await schema.sql("alter table \(table) enable trigger user")
  }

  @Test(.sampled()) func `drift is listed, healed, and gone`() async throws {
    try await withBoards { schema in
      let clean = try await schema.gymrats.succeed("verify")
      #expect(clean == "1 week of 1 group: no drift\n")
      #expect(try await schema.gymrats.succeed("verify", "--json") == "")
      try await change("entry", "update entry set value = 8 where user_id = 'bob'", in: schema)
      try await change("groups", "update groups set member_count = 7", in: schema)

      let found = try await schema.gymrats.run("verify")
      #expect(found.status == 1 && found.errors == "")
      let lines = found.output.split(separator: "\n")
      #expect(lines.contains { $0.hasPrefix("found  value  g  ") && $0.hasSuffix("bob: 8, not 1") })
      #expect(lines.contains("found  member_count  g: 7, not 2"))
      #expect(lines.last == "1 week of 1 group: 7 drifted", "\(lines)")

      let fixed = try await schema.gymrats.run("verify", "--fix", "--json")
      #expect(fixed.status == 0, "\(fixed.errors)")
      let objects = try fixed.output.split(separator: "\n").map {
        try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
      }
      #expect(objects.allSatisfy { $0["outcome"] as? String == "healed" } && objects.count == 7)
      #expect(
        objects.first?.keys.sorted() == [
          "expected", "found", "group", "kind", "outcome", "state", "type", "user", "week_start",
        ])
      try await schema.gymrats.succeed("worker", "--until-idle")
      try await schema.gymrats.succeed("run", "notify-rank-changes")
      #expect(try await schema.gymrats.succeed("verify", "--sample", "1") == clean)
      #expect(try await schema.sql("select id from notification") == [])
    }
  }

  @Test(.sampled()) func `a closed board is left, and the exit code says so`() async throws {
    try await withBoards { schema in
      try await schema.sql(
        "update challenge set state = 'closed', closed_at = now() + interval '2 h'")
      try await change("entry", "update entry set value = 8 where user_id = 'bob'", in: schema)
      let fixed = try await schema.gymrats.run("verify", "--fix")
      #expect(fixed.status == 1, "\(fixed.errors)")
      #expect(fixed.output.contains("left  value  g  "))
      #expect(fixed.output.contains("bob: 8, not 1  (closed board)"))
      #expect(
        try await schema.sql("select distinct value from entry where user_id = 'bob'") == ["8"])
    }
  }

  @Test(arguments: ["0", "1.5", "-1", "x"])
  func `a share is above 0, up to 1`(share: String) async throws {
    let ended = try await BatonProgram().run("verify", "--sample=\(share)")
    expectComplaint(ended, status: 64, what: "sample", place: "arguments", next: "--help")
  }

  @Test(.sampled())
  func `beside writers and a worker nothing drifts, and a fix loses nothing`() async throws {
    try await TestSchema.with { schema in
      try await schema.gymrats.succeed("migrate")
      let people = People(schema)
      for member in 0..<12 { try await people.join("u\(member)", group: "g\(member % 3)") }
      let worker = try schema.gymrats.start("worker")
      try await withThrowingTaskGroup(of: Void.self) { group in
        for writer in 0..<3 {
          group.addTask {
            for n in 0..<120 {
              let at = "now() - interval '\(n % 5) days'"
              _ = try await people.record("u\((n + writer * 5) % 12)", "\(writer)-\(n)", at: at)
            }
          }
        }
        group.addTask {
          for n in 0..<6 {
            let arguments = n % 2 == 0 ? ["verify"] : ["verify", "--fix"]
            let ended = try await schema.gymrats.start(arguments).wait()
            #expect(ended.status == 0 && ended.output.hasSuffix(": no drift\n"), "\(ended.output)")
          }
        }
        try await group.waitForAll()
      }
      worker.signal(SIGTERM)
      _ = try await worker.wait()
      try await schema.gymrats.succeed("worker", "--until-idle")
      try await schema.gymrats.succeed("verify")
    }
  }
}
