import Foundation
import TestSupport
import Testing

/// Replays that drive the weeks: every week closes once, boards and notices are the oracle's.
@Suite(.serialized, .timeLimit(.minutes(20)))
struct WeekReplayTests {
  @Test(arguments: [("1h", 3600), ("24h", 86_400), ("1s", 1)])
  func `the weeks of the edges close as the oracle says`(step: String, seconds: Int) async throws {
    try await expectWeeks(of: .edges, step, seconds)
  }

  @Test func `the weeks of a real year close as the oracle says`() async throws {
    try await expectWeeks(of: .year2024, "24h", 86_400)
  }

  private func expectWeeks(of data: CheckInData, _ step: String, _ seconds: Int) async throws {
    let folder = try TemporaryFolder()
    try await TestSchema.with { schema in
      try await schema.baton.succeed(
        "replay", data.path, "--step", step, "--export", folder.path, within: .seconds(900))
      try expectExport(in: folder.path, of: try await data.lines(), step: seconds)
      let open = try await schema.sql(
        "select count(*) from challenge where state = 'open' and ends_at <= domain_now()")
      #expect(open == ["0"])
      #expect(try await schema.sql("select count(*) from dead_run") == ["0"])
    }
  }
}
