import Foundation
import TestSupport
import Testing

/// Tests that weeks are not affected by clock changes: the tests' server is in New York, and the
/// weeks are the same.
@Suite(.timeLimit(.minutes(5)))
struct WeekNightsTests {
  /// A night, in UTC, around which workouts are recorded, with the reason.
  private static let nights = [
    ("2024-03-10T07:00:00Z", "clocks go forward in New York, in the last hours of a week"),
    ("2024-11-03T06:00:00Z", "clocks go back in New York, in the last hours of a week"),
    ("2024-12-30T00:00:00Z", "a week that begins in one year and is the first of the next"),
    ("2025-01-01T00:00:00Z", "a year that begins in the middle of a week"),
    ("2020-12-28T00:00:00Z", "the first day of a 53rd week"),
    ("2021-01-04T00:00:00Z", "the end of a 53rd week"),
  ]

  /// Returns workouts in the hours and days around an instant, for three members with three
  /// offsets.
  ///
  /// Some are a second or a microsecond away from it and from the ends of the adjacent weeks.
  private static func lines(around night: String) throws -> [String] {
    let middle = try Date(night, strategy: .iso8601).timeIntervalSince1970
    let monday = (middle / 604_800 - 4 / 7).rounded(.down) * 604_800 + 4 * 86_400
    var seconds = Set((-60...60).map { middle + Double($0) * 3_000 })
    for edge in [monday, monday + 604_800] {
      seconds.formUnion([edge - 18_001, edge - 1, edge, edge + 1, edge + 14_400, edge + 18_000])
    }
    let offsets = [("Z", 0.0), ("-05:00", -18_000), ("-04:00", -14_400), ("+14:00", 50_400)]
    let format = Date.ISO8601FormatStyle().year().month().day().time(
      includingFractionalSeconds: false
    )
    .dateTimeSeparator(.standard)
    return ["group,member,occurred_at"]
      + seconds.sorted().enumerated().map { number, second in
        let (name, offset) = offsets[number % 4]
        let local = Date(timeIntervalSince1970: second + offset).formatted(format)
        let text = local.hasSuffix("Z") ? String(local.dropLast()) : local
        return "g\(number % 2),m\(number * 7 % 5),\(text)\(name)"
      }
  }

  /// All nights, or one clock change and one week at the boundary of a year.
  private static let tried = TestSize.isFull ? nights : [nights[1], nights[5]]

  @Test(.sampled(), arguments: Randomness.sample(2, of: tried))
  func `weeks close in UTC on nights that are not like others`(
    night: String, why: String
  ) async throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("file.csv", lines: try Self.lines(around: night))
    try await TestSchema.with { schema in
      let zone = try await schema.sql("select reset_val from pg_settings where name = 'TimeZone'")
      #expect(zone == ["America/New_York"])
      try await schema.gymrats.succeed(
        "replay", path, "--step", "4h", "--export", folder.path + "/export")
      try await expectExport(
        in: folder.path + "/export", of: try await CheckInData(path: path).lines(), step: 14_400)
      let weeks = try await schema.sql(
        """
        select count(*) > 1, bool_and(closed_at = ends_at + interval '600 seconds') from challenge
        where state = 'closed'
        """)
      #expect(weeks == ["t,t"], "each closes when its grace is over: \(why)")
    }
  }
}
