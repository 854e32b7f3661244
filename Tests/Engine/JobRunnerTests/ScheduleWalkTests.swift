import Foundation
import TestSupport
import Testing

/// Compares the SQL function `next_occurrence` with a walk over every minute, which shares no code
/// and no time zone rules with the server.
@Suite(.timeLimit(.minutes(5))) struct ScheduleWalkTests {
  /// The seed of the random expressions, which a failure prints.
  private static let seed =
    ProcessInfo.processInfo.environment["BATON_TEST_SEED"].flatMap { UInt64($0) }
    ?? .random(in: 1...1_000_000)

  /// Days with a clock change, and one day without a clock change.
  static let days = [
    ("America/New_York", "2024-03-09T00:00:00Z"), ("America/New_York", "2024-11-02T00:00:00Z"),
    ("Europe/Berlin", "2024-03-30T00:00:00Z"), ("Europe/Berlin", "2024-10-26T00:00:00Z"),
    ("Australia/Lord_Howe", "2024-04-05T00:00:00Z"),
    ("Australia/Lord_Howe", "2024-10-04T00:00:00Z"), ("Pacific/Apia", "2011-12-28T00:00:00Z"),
    ("America/Sao_Paulo", "2018-02-16T00:00:00Z"), ("America/Sao_Paulo", "2018-11-02T00:00:00Z"),
    ("Asia/Kathmandu", "2024-02-28T00:00:00Z"),
    ("UTC", "2023-12-30T00:00:00Z"),
  ]

  @Test(.sampled()) func `random expressions fire at the minutes that a walk finds`()
    async throws
  {
    try await TestSchema.with { test in
      var random = Numbers(seed: Self.seed)
      for (zone, day) in Self.days {
        let calendar = Wall.calendar(zone)
        let start = Wall.instant(day)
        let end = start + 3 * 86_400
        let minutes = (-2 * 1440...4 * 1440).map { start + Int64($0) * 60 }
        let shown = minutes.map { Wall.shown($0, calendar) }
        // The first expression includes all hours at which clocks change.
        let nightly = Fields(
          minutes: random.minutes(), hours: Set(0...3), days: nil, weekdays: nil)
        let others = (0..<(TestSize.isFull ? 6 : 2)).map { _ in random.fields() }
        for fields in [nightly] + others {
          let expected = fields.walk(minutes, shown).filter { $0 > start && $0 <= end }
          let rows = try await test.sql(
            """
            select extract(epoch from o)::bigint from unnest(occurrences_between(
              '\(fields.text)', '\(zone)', to_timestamp(\(start)), to_timestamp(\(end)), 10000)) o
            """)
          let found = rows.compactMap { Int64($0) }
          #expect(
            found == expected,
            "BATON_TEST_SEED=\(Self.seed), \(fields.text) \(zone): \(found.map(Wall.text)) for \(expected.map(Wall.text))"
          )
        }
      }
    }
  }
}

/// A generator with a seed, so that a failure can be reproduced.
private struct Numbers: RandomNumberGenerator {
  var state: UInt64
  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Returns sets of numbers, which are also printed as lists, so that the walk needs no parser.
  mutating func fields() -> Fields {
    let everyHour = Bool.random(using: &self)
    return Fields(
      minutes: minutes(), hours: everyHour ? nil : some(of: 0...23, 1...6),
      days: Int.random(in: 0...2, using: &self) == 0 ? some(of: 1...31, 1...8) : nil,
      weekdays: Int.random(in: 0...2, using: &self) == 0 ? some(of: 0...6, 1...3) : nil)
  }

  mutating func minutes() -> Set<Int> { some(of: 0...59, 1...3) }

  private mutating func some(of range: ClosedRange<Int>, _ count: ClosedRange<Int>) -> Set<Int> {
    Set((0..<Int.random(in: count, using: &self)).map { _ in Int.random(in: range, using: &self) })
  }
}

private struct Fields {
  let minutes: Set<Int>
  let hours, days, weekdays: Set<Int>?

  var text: String {
    func list(_ set: Set<Int>?) -> String {
      set.map { $0.sorted().map(String.init).joined(separator: ",") } ?? "*"
    }
    return "\(list(minutes)) \(list(hours)) \(list(days)) * \(list(weekdays))"
  }

  /// A second implementation of the rules for wall-clock times.
  ///
  /// A skipped time fires when clocks show a later time, and a repeated time fires only once. An
  /// hourly expression only compares the shown time.
  func walk(_ instants: [Int64], _ shown: [[Int]]) -> [Int64] {
    var seen: Set<[Int]> = []
    var fired: [Int64] = []
    var previous: Int64?
    for (instant, now) in zip(instants, shown) {
      let wall = Self.count(now)
      defer { previous = max(previous ?? wall, wall) }
      guard let hours else {
        if matches(now) { fired.append(instant) }
        continue
      }
      let skipped = previous.map { $0 + 1 < wall ? Array($0 + 1..<wall) : [] } ?? []
      let isNew = seen.insert(now).inserted
      if isNew && matches(now) && hours.contains(now[1])
        || skipped.contains(where: { matches(Self.parts($0)) && hours.contains(Self.parts($0)[1]) })
      {
        fired.append(instant)
      }
    }
    return fired
  }

  private func matches(_ now: [Int]) -> Bool {
    guard minutes.contains(now[0]), hours?.contains(now[1]) ?? true else { return false }
    switch (days, weekdays) {
    case (nil, nil): return true
    case (let days?, nil): return days.contains(now[2])
    case (nil, let weekdays?): return weekdays.contains(now[4])
    case (let days?, let weekdays?): return days.contains(now[2]) || weekdays.contains(now[4])
    }
  }

  private static let utc = Wall.calendar("UTC")

  /// Returns the minutes of a wall clock, as if the wall clock were UTC.
  private static func count(_ now: [Int]) -> Int64 {
    let date = String(
      format: "%04d-%02d-%02dT%02d:%02d:00Z", now[5], now[3], now[2], now[1], now[0])
    return Wall.instant(date) / 60
  }

  private static func parts(_ minute: Int64) -> [Int] { Wall.shown(minute * 60, utc) }
}
