import Challenges
import Foundation
import Testing

/// Tests runs of days.
///
/// Each test is named after its rule.
@Suite struct StreakTests {
  private static let monday: Int64 = 1_768_176_000  // 2026-01-12
  private static let week = Week(containing: monday)

  /// Returns a workout at a number of days and hours after Monday 00:00 UTC.
  private func workout(_ day: Int, _ hour: Double = 12, offset: Int = 0) -> Streak.Workout {
    Streak.Workout(
      instant: (Self.monday + Int64(day) * 86_400) * 1_000_000 + Int64(hour * 3_600_000_000),
      utcOffset: offset)
  }

  private func date(_ day: Int, _ hour: Double = 12) -> Date {
    Date(timeIntervalSince1970: Double(Self.monday) + Double(day) * 86_400 + hour * 3_600)
  }

  private func current(_ workouts: [Streak.Workout], on day: Int, offset: Int = 0) -> Int {
    Streak(workouts).currentStreak(asOf: date(day), utcOffset: offset)
  }

  private func value(
    _ workouts: [Streak.Workout], _ policy: StreakPolicy = .peak
  ) -> Int? {
    Streak(workouts).score(in: Self.week, by: policy)?.value
  }

  @Test func `consecutive days count, today or not yet`() {
    let days = [workout(0), workout(1), workout(2)]
    #expect(current(days, on: 2) == 3)
    #expect(current(days, on: 3) == 3)
    #expect(current([], on: 3) == 0)
  }

  @Test func `a day without a workout breaks it`() {
    #expect(current([workout(0), workout(1)], on: 3) == 0)
    #expect(current([workout(0), workout(1), workout(3)], on: 3) == 1)
  }

  @Test func `several workouts of a day are one, and their order is nobody's business`() {
    let days = [workout(2), workout(0), workout(1, 23), workout(1, 1), workout(0, 1)]
    #expect(current(days, on: 2) == 3)
    #expect(Set((0..<5).map { Streak(Array(days[$0...] + days[..<$0])) }).count == 1)
  }

  @Test func `a workout that comes late fills its gap`() {
    let gap = [workout(0), workout(1), workout(3)]
    #expect(value(gap) == 2)
    #expect(value(gap + [workout(2)]) == 4)
  }

  @Test func `what lies behind the asked instant is not looked at`() {
    #expect(current([workout(0), workout(1), workout(2)], on: 1) == 2)
  }

  @Test func `the day is the one where the workout was done`() {
    // At 23:30 in Los Angeles, it is the next morning in UTC.
    let evenings = [workout(1, 7.5, offset: -28_800), workout(2, 7.5, offset: -28_800)]
    #expect(Streak(evenings).days.map(\.day) == [20_465, 20_466])
    #expect(current(evenings, on: 1, offset: -28_800) == 1)
    #expect(current(evenings, on: 2, offset: -28_800) == 2)
    // Days are rounded down, also before 1970 and for clocks before 1970.
    #expect(Streak.Workout(instant: -1, utcOffset: 0).day == -1)
    #expect(Streak.Workout(instant: 0, utcOffset: -1).day == -1)
  }

  @Test func `who flies over the date line loses no streak by the date that was not there`() {
    // The flight is from Hawaii to Kiribati: from Tuesday evening to Thursday noon in local time,
    // 17 hours later.
    let flown = [workout(2, 5, offset: -36_000), workout(2, 22, offset: 50_400)]
    #expect(Streak(flown).days.map(\.run) == [1, 2])
    // The same two dates without a flight, or with a day in between.
    #expect(Streak([workout(1, 19), workout(3, 12)]).days.map(\.run) == [1, 1])
    let slow = [workout(1, 15, offset: -36_000), workout(2, 22, offset: 50_400)]
    #expect(Streak(slow).days.map(\.run) == [1, 1])
  }

  @Test func `a date that is met twice is one day`() {
    let back = [workout(1, 12, offset: 50_400), workout(2, 20, offset: -36_000)]
    #expect(Streak(back).days.count == 1)
  }

  @Test func `clock changes change no day`() {
    // Noon in Europe/Berlin from 2026-03-28 to 30.
    let noons: [(Int64, Int)] = [
      (1_774_695_600, 3_600), (1_774_778_400, 7_200), (1_774_864_800, 7_200),
    ]
    let streak = Streak(noons.map { Streak.Workout(instant: $0.0 * 1_000_000, utcOffset: $0.1) })
    #expect(streak.days.map(\.run) == [1, 2, 3])
  }

  @Test func `a board sees the run that reaches into its week, each policy in its way`() {
    let overEdge = [workout(-2), workout(-1), workout(0), workout(1), workout(3)]
    #expect(value(overEdge, .peak) == 4)
    #expect(value(overEdge, .lastRun) == 1)
    #expect(value(overEdge, .weekOnly) == 2)
    #expect(value([workout(-2), workout(-1)], .peak) == nil)
    // The value uses the end of the week itself. Monday's workout does not count, and bridges no
    // gap.
    #expect(value([workout(6), workout(7)], .peak) == 1)
  }

  @Test func `a value is reached with the first workout of its day in the week`() throws {
    let days = [workout(0, 9), workout(1, 9), workout(3, 8), workout(4, 20), workout(4, 7)]
    let peak = try #require(Streak(days).score(in: Self.week, by: .peak))
    #expect(peak.value == 2 && peak.reachedAt == workout(1, 9).instant)
    let last = try #require(Streak(days).score(in: Self.week, by: .lastRun))
    #expect(last.value == 2 && last.reachedAt == workout(1, 9).instant)
    // A local date may begin before the week. A workout in the early part does not count in this
    // week.
    let early = [workout(0, -1, offset: 7_200), workout(0, 3, offset: 7_200)]
    #expect(
      try #require(Streak(early).score(in: Self.week, by: .peak)).reachedAt == workout(0, 3).instant
    )
  }

  @Test func `a week counts seven days, though it touches more dates`() {
    let dates = [workout(0, 1, offset: -36_000)] + (0..<7).map { workout($0) }
    #expect(Streak(dates).days.last?.run == 8)
    #expect(value(dates, .weekOnly) == 7)
    #expect(value(dates, .peak) == 8)
  }
}

/// Tests the ranks on a board.
@Suite struct RankingTests {
  private func ranks(_ values: [Int], _ policy: RankPolicy) -> [String] {
    let contenders = values.enumerated().map { index, value in
      Ranking.Contender(id: "u\(index)", value: value, reachedAt: 0, joinedAt: 0)
    }
    return Ranking.ranked(contenders.reversed(), by: policy)
      .map { "\($0.contender.id) \($0.rank)" }
  }

  @Test func `each policy ranks ties in its way, and nobody without a value`() {
    let values = [5, 3, 3, 0, 1]
    #expect(ranks(values, .competition) == ["u0 1", "u1 2", "u2 2", "u4 4"])
    #expect(ranks(values, .dense) == ["u0 1", "u1 2", "u2 2", "u4 3"])
    #expect(ranks(values, .unique) == ["u0 1", "u1 2", "u2 3", "u4 4"])
  }

  @Test func `those of one value stand by when they reached it, when they joined, and by bytes`() {
    func one(_ id: String, _ reached: Int64, _ joined: Int64) -> Ranking.Contender {
      Ranking.Contender(id: id, value: 1, reachedAt: reached, joinedAt: joined)
    }
    let ordered = Ranking.ranked([
      one("b", 2, 0), one("é", 1, 2), one("e\u{301}", 1, 2), one("z", 1, 1),
    ])
    #expect(
      ordered.map { Array($0.contender.id.utf8) }
        == ["z", "e\u{301}", "é", "b"].map { Array($0.utf8) })
    #expect(ordered.allSatisfy { $0.rank == 1 })
  }
}
