import Foundation
import TestSupport
import Testing

/// Tests `gymrats check --json`: one JSON object, whatever kind of difference is found.
@Suite(.timeLimit(.minutes(5))) struct CheckJSONTests {
  @Test(
    .sampled(),
    arguments: [
      (
        "drop trigger grace_changed on setting",
        "the trigger grace_changed on setting is missing"
      ),
      ("grant execute on function add_member to public", "PUBLIC may execute add_member"),
      ("delete from migration where part = 'challenges'", "The schema is older than this binary."),
    ])
  func `check prints each kind of difference as a finding`(
    change: String, what: String
  ) async throws {
    try await TestSchema.with { schema in
      try await schema.gymrats.succeed("migrate")
      let good = try await schema.gymrats.run("check", "--json")
      #expect(good.status == 0 && good.output.hasPrefix(#"{"findings":["#), "\(good)")
      try await schema.sql(change)
      let ended = try await schema.gymrats.run("check", "--json")
      #expect(ended.status == 78 && ended.errors == "", "\(ended)")
      let object = try #require(JSONSerialization.jsonObject(with: ended.bytes) as? [String: Any])
      #expect(object["state"] as? String == "critical")
      let found = try #require(object["findings"] as? [[String: String]])
      #expect(
        found.contains { $0["severity"] == "critical" && ($0["what"] ?? "").contains(what) },
        "\(found)")
      #expect(found.allSatisfy { $0["next"]?.isEmpty == false && $0["where"]?.isEmpty == false })
    }
  }
}
