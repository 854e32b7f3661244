import Foundation
import Presence

extension PresenceContract {
  /// The rules for statistics, and for achievements that depend on statistics.
  public static let achievements: [Promise<any PlaceEnvironment>] = [
    Promise("a new user has statistics of 0 and no achievement") {
      try await $0.addUser("ana")
      let ana = try await $0.achievements(for: "ana")
      try expect(try await ana.stats(), is: UserStats())
      try expect(try await ana.earned(), is: [])
      try expect(try await ana.progress(), is: AchievementProgress.all(of: UserStats()))
      try await ana.acknowledge(AchievementType.allCases)
      for nobody in [nil, "nobody"] {
        let repository = try await $0.achievements(for: nobody)
        try await expectRefusal("notAuthenticated") { _ = try await repository.stats() }
        try await expectRefusal("notAuthenticated") { try await repository.acknowledge([]) }
      }
    },
    Promise("the length of a stay counts when the stay has ended") {
      try await $0.group("g", of: "ana")
      let ana = try await $0.achievements(for: "ana")
      try await $0.stay("ana", at: "g", from: $0.hours(0), for: nil)
      try expect(try await $0.earned("ana"), is: ["firstCheckIn*", "firstOfTheDay*"])
      try expect(try await ana.stats().longestStay, is: 0)
      try await $0.group("h", of: "ana")
      try await $0.stay("ana", at: "h", from: $0.hours(1), for: 28_800)
      try expect(try await $0.earned("ana"), is: ["firstCheckIn*", "firstOfTheDay*", "marathon*"])
      let stats = UserStats(
        checkIns: 2, firstArrivals: 2, groupsVisited: 2, currentStreak: 1, longestStreak: 1,
        longestStay: 28_800)
      try expect(try await ana.stats(), is: stats)
      try expect(try await ana.progress(), is: AchievementProgress.all(of: stats))
    },
    Promise("an achievement is new until it is acknowledged, and is never lost") {
      try await $0.group("g", of: "ana")
      let ana = try await $0.achievements(for: "ana")
      try await $0.stay("ana", at: "g", from: $0.hours(0), for: 60)
      try await $0.settle()
      try await ana.acknowledge([.firstCheckIn, .legend])
      try expect(try await $0.earned("ana"), is: ["firstCheckIn", "firstOfTheDay*"])
      try await $0.stay("ana", at: "g", from: $0.hours(1), for: 60)
      try expect(try await $0.earned("ana"), is: ["firstCheckIn", "firstOfTheDay*"])
      let earned = try await ana.earned()
      try expect(UserAchievement.totalPoints(earned), is: 25)
      try expect(earned.allSatisfy { $0.unlockedAt < PresenceContract.beginning + 3_600 }, is: true)
    },
    Promise("a group has one first arrival per date in its own time zone") {
      try await $0.group("g", of: "ana", "ben", zone: "America/New_York")
      // In New York, the first two stays begin at 23:30 and 23:45, and the third stay begins at
      // 00:30 on the next date.
      try await $0.stay("ana", at: "g", from: $0.hours(16.5), for: 600)
      try await $0.stay("ben", at: "g", from: $0.hours(16.75), for: 60)
      try await $0.stay("ben", at: "g", from: $0.hours(17.5), for: 60)
      try await $0.stay("ana", at: "g", from: $0.hours(18), for: 60)
      let firsts = [
        try await $0.achievements(for: "ana").stats(),
        try await $0.achievements(for: "ben").stats(),
      ]
      try expect(firsts.map(\.firstArrivals), is: [1, 1])
      try expect(firsts.map(\.longestStreak), is: [2, 2])
    },
    Promise(
      "a streak counts dates of the groups, and ends by the user's own date"
    ) {
      try await $0.group("east", of: "ana", zone: "Pacific/Kiritimati")
      try await $0.group("west", of: "ana", zone: "Pacific/Pago_Pago")
      let ana = try await $0.achievements(for: "ana")
      // Ana checks in on the 15th in `east`, on the 14th in `west` and, after a gap, on the 17th in
      // `east`.
      try await $0.stay("ana", at: "east", from: $0.hours(0), for: 60)
      try await $0.stay("ana", at: "west", from: $0.hours(1), for: 60)
      try expect(try await ana.stats().currentStreak, is: 2)
      try await $0.stay("ana", at: "east", from: $0.hours(48), for: 60)
      try expect(try await ana.stats().longestStreak, is: 2)
      try expect(try await ana.stats().currentStreak, is: 1)
      // A late check-in on the 16th in `west` closes the gap, so the streak extends from the 14th
      // to the 17th.
      try await $0.stay("ana", at: "west", from: $0.hours(49), for: 60)
      try expect(try await ana.stats().currentStreak, is: 4)
      // The clock moves to noon UTC on the 18th. In UTC, a streak that ended on the 17th still
      // counts, because the 17th is yesterday. In Kiritimati, the date is already the 19th, so a
      // streak that ended on the 17th no longer counts.
      try await $0.moveClock(to: $0.hours(48 + 48))
      let users = try await $0.users(for: "ana")
      for (zone, streak) in [("Pacific/Pago_Pago", 4), ("Pacific/Kiritimati", 0), ("UTC", 4)] {
        guard var user = try await users.getUser("ana") else { throw AppError.notAuthenticated }
        user.timeZone = zone
        _ = try await users.updateUser(user)
        try expect(try await ana.stats().currentStreak, is: streak)
      }
    },
    Promise("each visited group is counted once") {
      for id in ["g", "h", "i"] { try await $0.group(id, of: "ana") }
      for (hour, id) in ["g", "h", "g", "i"].enumerated() {
        try await $0.stay("ana", at: id, from: $0.hours(Double(hour)), for: 60)
      }
      let stats = try await $0.achievements(for: "ana").stats()
      try expect([stats.groupsVisited, stats.checkIns], is: [3, 4])
      try expect(
        try await $0.earned("ana"), is: ["firstCheckIn*", "firstOfTheDay*", "explorer*"])
    },
  ]

  /// The rules for the data that a watch shows.
  public static let watch: [Promise<any PlaceEnvironment>] = [
    Promise("a watch lists groups where the user is present, then the others by name") {
      try await $0.group("g", of: "ana", "ben", name: "Chess")
      try await $0.group("h", of: "ana", name: "Yoga")
      try await $0.group("i", of: "ana", name: "Bouldering")
      try await $0.stay("ben", at: "g", from: $0.hours(0), for: nil)
      try await $0.stay("ana", at: "h", from: $0.hours(1), for: nil)
      try await $0.settle()
      let groups = try await $0.watch(for: "ana").payload().groups
      try expect(groups.map(\.id), is: ["h", "i", "g"])
      try expect(groups.map(\.isPresent), is: [true, false, false])
      try expect(groups.map(\.presentCount), is: [1, 0, 1])
      try expect(groups.map(\.version), is: [1, 0, 0])
      try await expectRefusal("notAuthenticated") { [environment = $0] in
        _ = try await environment.watch(for: nil).payload()
      }
    },
    Promise("a watch shows 20 groups at most") {
      for number in 10..<32 { try await $0.group("g\(number)", of: "ana", name: "G\(number)") }
      try await $0.stay("ana", at: "g31", from: $0.hours(0), for: nil)
      let groups = try await $0.watch(for: "ana").payload().groups
      try expect(groups.map(\.name), is: ["G31"] + (10..<29).map { "G\($0)" })
    },
  ]
}
