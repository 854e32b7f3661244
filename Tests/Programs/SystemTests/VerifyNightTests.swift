import Foundation
import TestSupport
import Testing

/// Tests the nightly verification of some groups, in a process that can be killed.
@Suite(.timeLimit(.minutes(5)))
struct VerifyNightTests {
  /// Creates groups for this night and for the next night, because midnight may pass during the
  /// test.
  private func makeGroups(_ schema: TestSchema) async throws -> [[String]] {
    let people = People(schema)
    var nights: [[String]] = []
    for night in [0, 1] {
      let part = "((extract(epoch from now())::bigint / 86400 + \(night)) % 30)"
      let groups = try await schema.sql(
        """
        select 'g' || n from generate_series(1, 1000) n
        where (hashtextextended('g' || n, 0) & 1048575) >= \(part) * 1048576 / 30
          and (hashtextextended('g' || n, 0) & 1048575) < (\(part) + 1) * 1048576 / 30
        order by n limit 3
        """)
      for group in groups {
        try await people.join("\(group)a", group: group)
        #expect(try await people.record("\(group)a", "1") == "accepted")
      }
      nights.append(groups)
    }
    try await schema.gymrats.succeed("worker", "--until-idle", "--jobs", "recompute-ranks")
    return nights
  }

  private func plantDrift(_ schema: TestSchema) async throws {
    try await schema.sql("alter table entry disable trigger user")
    try await schema.sql("update entry set value = 9")
    try await schema.sql("alter table entry enable trigger user")
  }

  private func isHealed(_ groups: [String], _ schema: TestSchema) async throws -> Bool {
    let ids = groups.map { "'\($0)a'" }.joined(separator: ", ")
    return try await schema.sql("select distinct value from entry where user_id in (\(ids))")
      == ["1"]
  }

  @Test(.sampled()) func `killed in the middle, the next run heals the rest of its share`()
    async throws
  {
    try await TestSchema.with { schema in
      try await schema.gymrats.succeed("migrate")
      let nights = try await makeGroups(schema)
      let command = try await KilledCommand("run", "verify-boards", in: schema)
      defer { command.close() }
      try await plantDrift(schema)
      let total = try await command.run(.statement).heard.count
      var healedBefore: Set<Int> = []
      for number in KilledCommand.points(of: total, most: 6) {
        try await plantDrift(schema)
        _ = try await command.run(killedAt: number, .statement)
        let left = try await schema.sql("select count(*) from entry where value = 9")
        healedBefore.insert(Int(left[0]) ?? 0)
        try await schema.gymrats.succeed("run", "verify-boards")
        let tonight = try await isHealed(nights[0], schema)
        let tomorrow = try await isHealed(nights[1], schema)
        #expect(tonight || tomorrow, "killed at \(number)")
        #expect(try await schema.sql("select count(*) from run") == ["0"])
      }
      // Some kills occurred between two corrections.
      #expect(healedBefore.count > 2, "\(healedBefore)")
    }
  }

  @Test(.sampled()) func `the log has a line for each drift`() async throws {
    try await TestSchema.with { schema in
      try await schema.gymrats.succeed("migrate")
      _ = try await makeGroups(schema)
      try await plantDrift(schema)
      let ended = try await schema.gymrats.run("run", "verify-boards")
      #expect(ended.status == 0 && ended.output.hasPrefix("verify-boards: 3 weeks compared"))
      let lines = ended.errors.split(separator: "\n").filter { $0.contains("healed  value  g") }
      #expect(lines.count == 6, "\(ended.errors)")
    }
  }
}
