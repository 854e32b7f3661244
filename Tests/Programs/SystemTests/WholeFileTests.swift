import TestSupport
import Testing

/// Tests the whole file of real check-ins.
@Suite(.timeLimit(.minutes(40)))
struct WholeFileTests {
  /// The step is one day.
  ///
  /// The boards do not depend on the step, but the duration does.
  @Test(
    .enabled(if: TestSize.isFull, "the whole file: make test-all"),
    .enabled(
      if: CheckInData.whole != nil, "neither BATON_CHECKINS nor ../shared has the whole file"))
  func `the weeks of the whole file close as the oracle says`() async throws {
    let data = try #require(CheckInData.whole)
    let folder = try TemporaryFolder()
    try await TestSchema.with { schema in
      let output = try await schema.gymrats.succeed(
        "replay", data.path, "--step", "24h", "--export", folder.path, within: .seconds(2_100))
      let lines = try await data.lines()
      #expect(output.hasPrefix("replayed \(lines.count) lines in "))
      try await expectExport(in: folder.path, of: lines, step: 86_400)
      #expect(try await schema.sql("select count(*) from run") == ["0"])
      #expect(try await schema.sql("select count(*) from dead_run") == ["0"])
    }
  }
}
