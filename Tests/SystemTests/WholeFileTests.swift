import TestSupport
import Testing

/// The whole file of real check-ins, beside all other suites: it takes the longest.
@Suite(.timeLimit(.minutes(40)))
struct WholeFileTests {
  /// Said once, because a test that is left out looks like one that is good.
  private static let whole: CheckInData? = {
    if CheckInData.whole == nil {
      print(
        """
        skipped: the whole file of check-ins is not there. Set BATON_CHECKINS to it, or put it at \
        ../shared/data/checkins.csv.gz beside this repository.
        """)
    }
    return CheckInData.whole
  }()

  /// A day at a time: what is on a board does not depend on the step, but the time does.
  @Test(.enabled(if: WholeFileTests.whole != nil, "the whole file is not there"))
  func `the weeks of the whole file close as the oracle says`() async throws {
    let data = try #require(Self.whole)
    let folder = try TemporaryFolder()
    try await TestSchema.with { schema in
      let output = try await schema.baton.succeed(
        "replay", data.path, "--step", "24h", "--export", folder.path, within: .seconds(2_100))
      let lines = try await data.lines()
      #expect(output.hasPrefix("replayed \(lines.count) lines in "))
      try expectExport(in: folder.path, of: lines, step: 86_400)
      #expect(try await schema.sql("select count(*) from run") == ["0"])
      #expect(try await schema.sql("select count(*) from dead_run") == ["0"])
    }
  }
}
