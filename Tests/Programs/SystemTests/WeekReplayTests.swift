import Foundation
import TestSupport
import Testing

/// Tests replays with weeks: every week is closed once, and boards and notifications equal the
/// oracle's.
///
/// A replay of eleven years by the hour takes long next to all other tests.
@Suite(.timeLimit(.minutes(TestSize.isFull ? 60 : 20)))
struct WeekReplayTests {
  /// All weeks with a line, and the weeks after them.
  ///
  /// Between them are weeks without any line.
  private static let weeksOfEdges = [
    Days("2014-12-29", "2015-01-19"), Days("2015-12-21", "2016-01-18"),
    Days("2016-12-26", "2017-01-16"), Days("2017-12-25", "2018-01-15"),
    Days("2019-08-05", "2019-08-19"), Days("2020-02-24", "2020-03-09"),
    Days("2020-12-28", "2021-01-18"), Days("2023-02-27", "2023-03-13"),
    Days("2023-04-10", "2023-04-24"), Days("2024-02-26", "2024-11-18"),
    Days("2024-12-16", "2025-01-20"),
    Days("2025-12-22", "2026-01-12"),
  ]

  @Test(.enabled(if: TestSize.isFull, "all weeks of the edges: make test-all"))
  func `the weeks of the edges close as the oracle says`() async throws {
    guard !TestSize.isFull else { return try await expectWeeks(of: .edges, "24h", 86_400) }
    let lines = try await CheckInData.edges.lines()
    #expect(Self.weeksOfEdges.map { $0.filter(lines).count }.reduce(0, +) == lines.count)
    for days in Self.weeksOfEdges { try await expectWeeks(of: .edges, "24h", 86_400, days) }
  }

  /// The weeks with most of the edge cases.
  ///
  /// A replay of eleven years takes longer and shows the same.
  @Test(.sampled(), arguments: TestSize.isFull ? [("1h", 3600), ("1s", 1)] : [("1s", 1)])
  func `however short the step, the weeks close as the oracle says`(
    step: String, seconds: Int
  ) async throws {
    try await expectWeeks(
      of: .edges, step, seconds, TestSize.isFull ? nil : Days("2024-04-15", "2024-05-27"))
  }

  @Test(.sampled()) func `the weeks of a real year close as the oracle says`() async throws {
    try await expectWeeks(
      of: .year2024, "24h", 86_400, TestSize.isFull ? nil : Days("2024-02-26", "2024-04-01"))
  }

  /// Rules 13 and 75: for 5 weeks, events are written but not dispatched, and no run or schedule is
  /// processed.
  @Test(.sampled())
  func `after an outage of weeks the boards are the same, and old weeks are silent`()
    async throws
  {
    let folder = try TemporaryFolder()
    let days = Days("2024-04-22", "2024-07-01")
    let lines = days.filter(try await CheckInData.year2024.lines())
    let outage = Days("2024-05-06", "2024-06-10")
    try await TestSchema.with { schema in
      try await schema.gymrats.succeed(
        [
          "replay", CheckInData.year2024.path, "--step", "24h", "--export", folder.path,
          "--outage", "2024-05-06..2024-06-10",
        ] + days.options, within: .seconds(900))
      let boards = try exported("boards.jsonl", in: folder.path)
        .map { try BoardRow(jsonLine: $0) }
      let instants = outage.instants
      let (expectedBoards, expected, all) = try await blocking {
        (
          Oracle.boards(of: lines),
          Oracle.notifications(of: lines, step: 86_400, outage: instants),
          Oracle.notifications(of: lines, step: 86_400)
        )
      }
      #expect(Oracle.difference(expected: expectedBoards, actual: boards) == [])
      #expect(expected.count < all.count)
      try expectNotifications(in: folder.path, expected)
      let late = try await schema.sql(
        "select sum((report ->> 'weeks too late to tell')::bigint) > 0 from run_history where job = 'close-week'"
      )
      #expect(late == ["t"])
    }
  }

  private func expectWeeks(
    of data: CheckInData, _ step: String, _ seconds: Int, _ days: Days? = nil
  ) async throws {
    let folder = try TemporaryFolder()
    try await TestSchema.with { schema in
      try await schema.gymrats.succeed(
        ["replay", data.path, "--step", step, "--export", folder.path] + (days?.options ?? []),
        within: .seconds(900))
      let lines = try await data.lines()
      try await expectExport(
        in: folder.path, of: days?.filter(lines) ?? lines, step: seconds,
        // Ranks are notified every 30 s. With a shorter step, this is not in the step that changed
        // them.
        comparesTimes: seconds >= 30)
      let open = try await schema.sql(
        "select count(*) from challenge where state = 'open' and ends_at <= domain_now()")
      #expect(open == ["0"])
      #expect(try await schema.sql("select count(*) from dead_run") == ["0"])
    }
  }
}
