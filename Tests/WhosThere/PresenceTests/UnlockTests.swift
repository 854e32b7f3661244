import BatonPostgres
import Foundation
import JobTesting
import Presence
import PresenceSQL
import TestSupport
import Testing

/// Tests the achievements that numbers unlock: once, permanently, and with the points of that time.
@Suite(.timeLimit(.minutes(5))) struct UnlockTests {
  @Test(.sampled()) func `the catalogue is the library's, and each line asks for the same number`()
    async throws
  {
    let randomness = Randomness()
    var random = randomness.generator
    try await Places.with(at: "2024-06-05 12:00") { places in
      #expect(
        try await places.sql(
          "select type, title, description, points, goal from achievement order by place")
          == Achievement.catalogue.map {
            "\($0.type.rawValue),\($0.title),\($0.description),\($0.points),\($0.goal)"
          })
      var all: [String: UserStats] = [:]
      for number in 1...60 {
        // Numbers near each goal, equally often below and above.
        func near(_ goals: [Int]) -> Int {
          max(0, (goals.randomElement(using: &random) ?? 0) + .random(in: -1...1, using: &random))
        }
        all["u\(number)"] = UserStats(
          checkIns: near([1, 10, 50, 200]), firstArrivals: near([1, 10]),
          groupsVisited: near([3, 10]), longestStreak: near([7, 30]), longestStay: near([28_800]),
          messagesSent: near([50]))
      }
      try await places.sql(
        """
        insert into users (id, display_name, is_anonymous)
        select 'u' || n, 'U', false from generate_series(1, 60) n
        """)
      let rows = all.map { user, stats in
        """
        ('\(user)', \(stats.checkIns), \(stats.firstArrivals), \(stats.groupsVisited),
        \(stats.longestStreak), \(stats.longestStay), \(stats.messagesSent))
        """
      }
      try await places.sql(
        """
        select hold_stats(array(select 'u' || n from generate_series(1, 60) n))
        """)
      try await places.sql(
        """
        update user_stats s
        set check_ins = v.check_ins, first_arrivals = v.first_arrivals, groups_visited = v.groups_visited,
          longest_streak = v.longest_streak, longest_stay = v.longest_stay, messages_sent = v.messages_sent
        from (values \(rows.joined(separator: ", "))) v (user_id, check_ins, first_arrivals, groups_visited,
          longest_streak, longest_stay, messages_sent)
        where s.user_id = v.user_id
        """)
      #expect(try await places.test.drain() == 0)
      for (user, stats) in all {
        let earned = try await places.earned(user).map { $0.replacing("*", with: "") }
        #expect(earned == stats.achieved.map(\.rawValue), "\(randomness), \(user)")
        #expect(
          try await places.sql("select * from achievement_progress('\(user)')")
            == AchievementProgress.all(of: stats).map {
              "\($0.type.rawValue),\($0.value),\($0.goal)"
            }, "\(randomness), \(user)")
      }
    }
  }

  @Test(.sampled()) func `visits and messages unlock once, whoever awards it, and nothing is lost`()
    async throws
  {
    try await Places.with(at: "2024-06-05 12:00") { places in
      try await places.manyGroups(3)
      try await places.accounts("ann", "bob")
      try await places.countMessages()
      try await places.stayed("ann g1 2024-06-05 60 first")
      #expect(try await places.test.drain() == 0)
      #expect(try await places.earned("ann") == ["firstCheckIn*", "firstOfTheDay*"])
      // Further visits trigger the job, but unlock nothing again.
      try await places.stand(at: "2024-06-06 12:00")
      try await places.stayed("ann g2 2024-06-06 60", "ann g3 2024-06-06 60")
      try await places.sql("insert into sent select 'ann' from generate_series(1, 50)")
      try await places.sql(
        "update visit set departure = arrival + interval '8h' where group_id = 'g2'")
      try await places.sql("update achievement set points = points + 1000")
      #expect(try await places.test.drain() == 0)
      #expect(
        try await places.sql(
          "select type, points, unlocked_at at time zone 'UTC' from earned_achievements('ann')")
          == [
            "firstCheckIn,10,2024-06-05 12:00:00", "firstOfTheDay,15,2024-06-05 12:00:00",
            "explorer,1025,2024-06-06 12:00:00", "marathon,1060,2024-06-06 12:00:00",
            "talkative,1020,2024-06-06 12:00:00",
          ])

      // Two transactions award at the same time. The second waits for the first one's row, and
      // finds the row.
      let award = [SQL.Achievements.holdStats, SQL.Achievements.award].map {
        $0.text.replacing("$1", with: "'{ann,bob}'")
      }
      for end in ["commit", "rollback"] {
        try await places.sql("delete from unlock where user_id = 'ann'")
        try await places.withOpen(award.joined(separator: "; ")) { open in
          async let other: [String] = places.sql(award[1])
          try await open.waitUntilItBlocks()
          try await open.end(end)
          _ = try await other
        }
        #expect(try await places.earned("ann").count == 5, "\(end)")
      }

      // The achievement is displayed on two devices at the same time, but is new on only one of
      // them.
      let show = "acknowledge('ann', '{explorer,marathon,legend,nonsense}')"
      #expect(try await places.race(show, show) == "")
      #expect(try await places.call(show) == "")
      #expect(
        try await places.earned("ann")
          == ["firstCheckIn*", "firstOfTheDay*", "explorer", "marathon", "talkative*"])
      let again = "acknowledge('ann', '{explorer,firstCheckIn}')"
      #expect(try await places.call(again) == "firstCheckIn")
      #expect(try await places.call("acknowledge('bob', '{talkative}')") == "")
      #expect(try await places.call("acknowledge('ann', null)") == "invalidInput")
      #expect(
        try await places.call("acknowledge('ann', array_fill('x'::text, '{101}'))")
          == "invalidInput"
      )

      // If an account is deleted during an award, all its achievements are deleted.
      try await places.stayed("bob g1 2024-06-06 60")
      try await places.withOpen(award.joined(separator: "; ")) { open in
        async let gone: [String] = places.sql("delete from user_stats where user_id = 'bob'")
        try await open.waitUntilItBlocks()
        try await open.end("commit")
        _ = try await gone
      }
      // In the opposite order, the award finds no user any more.
      try await places.stayed("bob g1 2024-06-06 60")
      try await places.withOpen("delete from user_stats where user_id = 'bob'") { open in
        async let late: Void = places.alone(award.joined(separator: "; "))
        try await open.waitUntilItBlocks()
        try await open.end("commit")
        try await late
      }
      for table in ["user_stats", "unlock", "visit_streak"] {
        #expect(
          try await places.sql("select count(*) from \(table) where user_id = 'bob'") == ["0"])
      }
      try await places.sql("delete from visit where user_id = 'ann'")
      try await places.call("delete_account('ann')")
      #expect(try await places.sql("select user_id from unlock") == [])
    }
  }

  @Test(.sampled()) func `a merge adds up the numbers, and keeps what either achieved`()
    async throws
  {
    try await Places.with(at: "2024-06-05 12:00") { places in
      try await places.manyGroups(3)
      try await places.devices("dev", "new")
      try await places.accounts("acc")
      try await places.countMessages()
      // Both users visited g1, and both on the 2nd. The dates in between close each other's gap.
      try await places.stayed(
        "dev g1 2024-06-01 60 first", "dev g1 2024-06-02 60", "dev g2 2024-06-04 90")
      try await places.sql("insert into sent select 'dev' from generate_series(1, 3)")
      try await places.test.drain()
      try await places.call("acknowledge('dev', '{firstCheckIn}')")
      try await places.stand(at: "2024-06-05 13:00")
      try await places.sql("update achievement set points = 77")
      try await places.stayed(
        "acc g1 2024-06-02 60", "acc g3 2024-06-03 28800", "acc g1 2024-06-05")
      try await places.sql("insert into sent select 'acc' from generate_series(1, 4)")
      try await places.test.drain()
      #expect(try await places.earned("acc") == ["firstCheckIn*", "marathon*"])
      #expect(try await places.call("link_account('dev', 'google', 'acc')", "id") == "acc")
      let expected = try await places.expectedStats("acc", messages: 7, today: "2024-06-05")
      #expect(
        expected
          == UserStats(
            checkIns: 6, firstArrivals: 1, groupsVisited: 3, currentStreak: 5, longestStreak: 5,
            longestStay: 28_800, messagesSent: 7))
      #expect(try await places.stats("acc") == expected)
      try await places.test.drain()
      #expect(
        try await places.sql(
          """
          select type, points, to_char(unlocked_at at time zone 'UTC', 'HH24'), is_new from earned_achievements('acc')
          """)
          == [
            "firstCheckIn,10,12,f", "firstOfTheDay,15,12,t", "explorer,77,13,t", "marathon,77,13,t",
          ])
      for table in ["user_stats", "unlock", "visit_streak"] {
        #expect(
          try await places.sql("select count(*) from \(table) where user_id = 'dev'") == ["0"])
      }
      // A user without any activity can be merged as well.
      #expect(try await places.call("link_account('new', 'google', 'acc')", "id") == "acc")
      #expect(try await places.stats("acc") == expected)
    }
  }

  @Test func `a watch shows groups where the user is, then the others by name, 20 at most`()
    async throws
  {
    try await Places.with(at: "2024-06-05 12:00") { places in
      try await places.manyGroups(25)
      try await places.accounts("ann")
      for group in ["g9", "g3", "g7"] {
        try await places.call("join_public_group('ann', '\(group)')")
      }
      #expect(try await places.sql("select count(*) from watch_groups('boss')") == ["20"])
      let insert = """
        insert into presence (group_id, user_id, is_present, source, since, version, changed_at, heard_at)
        values
        """
      let now = "domain_now()"
      try await places.sql(
        """
        \(insert) ('g9', 'ann', true, 'manual', \(now), 7, \(now), \(now)),
        ('g7', 'ann', false, 'manual', \(now), 4, \(now), \(now)),
        ('g3', 'boss', true, 'manual', \(now), 1, \(now), \(now))
        """)
      try await places.sql(
        """
        insert into group_summary (group_id, present_count, latest, version, changed_at)
        values ('g3', 1, '{boss}', 1, \(now))
        """)
      #expect(
        try await places.sql("select * from watch_groups('ann')")
          == ["g9,Group 9,0,t,7", "g3,Group 3,1,f,0", "g7,Group 7,0,f,4"])
      try await places.call("leave_group('ann', 'g3')")
      #expect(
        try await places.sql("select group_id from watch_groups('ann')") == ["g9", "g7"])
    }
  }
}
