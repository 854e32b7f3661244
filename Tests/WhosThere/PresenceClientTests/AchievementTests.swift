import Foundation
import Presence
import TestDice
import Testing

/// Tests the catalogue, and the achievements that follow from a user's numbers.
@Suite struct AchievementTests {
  @Test func `the catalogue is this`() {
    let rows = Achievement.catalogue.map { "\($0.id.rawValue) \($0.points) \($0.goal)" }
    #expect(
      rows == [
        "firstCheckIn 10 1", "regular 25 10", "devoted 50 50", "legend 100 200",
        "firstOfTheDay 15 1", "earlyBird 30 10", "explorer 25 3", "wanderer 75 10",
        "weekStreak 40 7", "monthStreak 150 30", "marathon 60 28800", "talkative 20 50",
      ])
    #expect(Set(Achievement.catalogue.map(\.title)).count == 12)
    #expect(Set(Achievement.catalogue.map(\.description)).count == 12)
  }

  @Test func `each achievement is unlocked by its own number, exactly at its goal`() {
    let numbers: [(WritableKeyPath<UserStats, Int>, [AchievementType])] = [
      (\.checkIns, [.firstCheckIn, .regular, .devoted, .legend]),
      (\.firstArrivals, [.firstOfTheDay, .earlyBird]), (\.groupsVisited, [.explorer, .wanderer]),
      (\.longestStreak, [.weekStreak, .monthStreak]), (\.longestStay, [.marathon]),
      (\.messagesSent, [.talkative]), (\.currentStreak, []),
    ]
    #expect(numbers.flatMap(\.1).count == AchievementType.allCases.count)
    for (number, types) in numbers {
      for type in types {
        var stats = UserStats()
        stats[keyPath: number] = type.achievement.goal - 1
        #expect(!stats.achieved.contains(type), "\(type)")
        stats[keyPath: number] += 1
        #expect(stats.achieved == types.filter { $0.achievement.goal <= type.achievement.goal })
      }
      var stats = UserStats()
      stats[keyPath: number] = 1_000_000
      #expect(stats.achieved == types)
    }
    #expect(UserStats().achieved == [])
  }

  @Test func `progress goes from 0 to 1 and no further`() {
    func fraction(_ checkIns: Int) -> Double {
      AchievementProgress(type: .regular, stats: UserStats(checkIns: checkIns)).fraction
    }
    #expect([0, 1, 5, 10, 11, 1_000].map(fraction) == [0, 0.1, 0.5, 1, 1, 1])
    let all = AchievementProgress.all(of: Sample.stats)
    #expect(all.map(\.type) == AchievementType.allCases)
    #expect(all.allSatisfy { $0.isComplete == ($0.fraction == 1) })
  }

  @Test func `what is new is what was not there, and points are the sum`() {
    func earned(_ types: [AchievementType]) -> [UserAchievement] {
      types.map {
        UserAchievement(type: $0, unlockedAt: Sample.instant, points: $0.achievement.points)
      }
    }
    let (before, after) = (earned([.regular]), earned([.firstCheckIn, .regular, .marathon]))
    let new = UserAchievement.newlyUnlocked(in: after, since: before)
    #expect(new.map(\.type) == [.firstCheckIn, .marathon])
    #expect(UserAchievement.newlyUnlocked(in: before, since: after) == [])
    // There is only one achievement of each type, acknowledged or not, earlier or later.
    let shown = UserAchievement(
      type: .regular, unlockedAt: Sample.at(-60), points: 25, isNew: false)
    #expect(UserAchievement.newlyUnlocked(in: before, since: [shown]) == [])
    #expect(UserAchievement.totalPoints(after) == 95 && UserAchievement.totalPoints([]) == 0)
    // The points are those of the unlock time, and not the current points.
    #expect(
      UserAchievement.totalPoints([
        UserAchievement(type: .legend, unlockedAt: Sample.instant, points: 1)
      ]) == 1)
  }
}

/// Numbers that follow from stays.
@Suite struct VisitTests {
  private static func visit(
    _ day: Int, _ group: String = "g1", stay: TimeInterval? = 60, isFirst: Bool = false
  ) -> Visit {
    let arrival = Date(timeIntervalSince1970: Double(day) * 86_400 + 40_000)
    return Visit(
      groupId: group, arrival: arrival, departure: stay.map(arrival.addingTimeInterval),
      localDate: LocalDate(day: day), isFirst: isFirst)
  }

  private static func stats(_ visits: [Visit], today: Int = 100) -> UserStats {
    UserStats(visits: visits, messagesSent: 3, today: LocalDate(day: today))
  }

  @Test func `nothing comes of no visits`() {
    #expect(Self.stats([]) == UserStats(messagesSent: 3))
  }

  @Test func `stays, groups and first arrivals are counted`() {
    let visits = [
      Self.visit(1, "g1", stay: 3_600.9, isFirst: true), Self.visit(1, "g2", stay: nil),
      Self.visit(5, "g1", stay: -60, isFirst: true), Self.visit(9, "g3"),
    ]
    #expect(
      Self.stats(visits)
        == UserStats(
          checkIns: 4, firstArrivals: 2, groupsVisited: 3, currentStreak: 0, longestStreak: 1,
          longestStay: 3_600, messagesSent: 3))
  }

  @Test(arguments: [
    ([100], 1), ([99], 1), ([98], 0), ([101], 1), ([98, 99], 2), ([97, 99, 100], 2),
    ([99, 100, 100, 99], 2), ([100, 101], 2), ([95, 96, 97, 98, 99], 5), ([100, 102], 1),
  ])
  func `a streak goes on today if it went on yesterday`(days: [Int], streak: Int) {
    #expect(Self.stats(days.map { Self.visit($0) }).currentStreak == streak)
  }

  @Test func `the longest streak is what counting each date's followers finds`() {
    var dice = Dice()
    for _ in 0..<200 {
      let days = (0..<Int.random(in: 0...60, using: &dice)).map { _ in
        Int.random(in: -30...30, using: &dice)
      }
      let there = Set(days)
      let longest = days.map { day in (0...).first { !there.contains(day + $0) } ?? 0 }.max() ?? 0
      let groups = ["g1", "g2", "g3"]
      let visits = days.map { Self.visit($0, groups.randomElement(using: &dice) ?? "g1") }
      let stats = Self.stats(visits, today: 30)
      #expect(stats.longestStreak == longest, "\(dice)")
      #expect(stats.currentStreak <= stats.longestStreak, "\(dice)")
      #expect(stats == Self.stats(visits.shuffled(using: &dice), today: 30), "\(dice)")
    }
  }

  @Test func `a streak goes over the ends of months and years`() throws {
    let dates = try ["2027-12-31", "2028-01-01", "2028-02-28", "2028-02-29", "2028-03-01"].map {
      try #require(LocalDate($0))
    }
    #expect(VisitStreak.longest(dates) == 3)
    #expect(VisitStreak.current(dates, today: dates[1]) == 3)
  }
}
