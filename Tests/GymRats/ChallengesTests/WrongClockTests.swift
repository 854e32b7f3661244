import BatonPostgres
import Challenges
import ChallengesServer
import TestSupport
import Testing

/// Times that were stored while the clock was three years ahead delay no call after the clock is set right.
@Suite(.timeLimit(.minutes(5))) struct WrongClockTests {
  private let noon = "2024-06-05 12:00"
  private let ahead = "timestamptz '2027-06-05 12:00Z'"

  @Test func `a time zone can be changed, and a change of the last minute still counts`()
    async throws
  {
    try await Gym.open(at: noon) { gym in
      try await gym.join("ann")
      try await gym.run("update users set time_zone_changed_at = \(ahead)")
      try await gym.run("select set_time_zone('ann', 'Europe/Athens')")
      try await gym.run("update users set time_zone_changed_at = '2024-06-05 12:00:59Z'")
      let error = await #expect(throws: PostgresError.self) {
        try await gym.run("select set_time_zone('ann', 'Asia/Tokyo')")
      }
      #expect(error?.sqlState == "ZB004")
    }
  }

  @Test func `attempts, groups, invites and returns are not refused`() async throws {
    try await Gym.open(at: noon) { gym in
      try await gym.found("bob")
      try await gym.run(
        """
        update setting set invite_attempts = 1, groups_a_day = 1, invites_a_day = 1, joins_a_day = 1
        """)
      try await gym.run("update invite_attempt set began_at = \(ahead), attempts = 9")
      #expect(try await gym.call("(join_group('bob', 'guess')).refusal") == "inviteInvalid")
      try await gym.run("update invite set created_at = \(ahead), expires_at = '2027-07-01Z'")
      #expect(try await gym.call("(create_invite('ann', 'g')).expires_at").hasPrefix("2024"))
      try await gym.run("update membership set joined_at = '2027-06-01Z' where user_id = 'bob'")
      try await gym.run("update member set left_at = \(ahead) where user_id = 'bob'")
      try await gym.run("update invite_attempt set attempts = 0")
      #expect(try await gym.call("join_group('bob', '\(Gym.token)')").hasPrefix("(,g,"))
      // The new membership begins now, so workouts count.
      #expect(try await gym.record("w", by: "bob") == "accepted 2024-06-03")
      #expect(
        try await gym.lines("select count(*)::text from notification where user_id = 'ann'")
          == ["2"])
      try await gym.call("leave_group('ann', 'g')")
      try await gym.run("update groups set created_at = \(ahead)")
      #expect(try await gym.call("create_group('ann', 'h', 'H')").hasPrefix("(h,"))
      #expect(try await gym.broken() == [])
    }
  }

  @Test func `workouts of members who joined in the future count, and the members are notified`()
    async throws
  {
    try await Gym.open(at: noon) { gym in
      for user in ["ann", "bob"] { try await gym.join(user) }
      // Bob has left the group and returned.
      for change in [
        "update member set left_at = '2024-06-01Z', has_left = true where user_id = 'bob'",
        "update member set left_at = null where user_id = 'bob'",
        "update member set joined_at = \(ahead) where user_id = 'ann'",
        "update membership set joined_at = \(ahead) where user_id = 'bob' and left_at is null",
      ] { try await gym.run(change) }
      for user in ["ann", "bob"] {
        #expect(try await gym.record("w", by: user) == "accepted 2024-06-03")
      }
      try await gym.publishAll()
      try await gym.stand(at: "2024-06-10 00:10")
      try await gym.close()
      #expect(try await gym.ended() == ["ann 2024-06-03", "bob 2024-06-03"])
    }
  }

  @Test func `a user can share workouts again, and later workouts count`() async throws {
    try await Gym.open(at: noon) { gym in
      try await gym.join("ann")
      try await gym.run("update users set shares_workouts = false")
      try await gym.run("update sharing_pause set began_at = \(ahead)")
      try await gym.run("update users set shares_workouts = true")
      #expect(try await gym.record("w1") == "accepted 2024-06-03")
      try await gym.run(
        "update sharing_pause set began_at = '2024-06-05 11:00Z', ended_at = \(ahead)")
      // It is unknown when the user shared again, so a workout of before this call is not stored.
      #expect(try await gym.record("w2", at: "2024-06-05 11:59Z") == "ignoredPrivacy")
      #expect(try await gym.record("w3", at: "2024-06-05 12:00Z") == "accepted 2024-06-03")
    }
  }

  @Test func `a phone's events are counted`() async throws {
    try await Gym.open(at: noon) { gym in
      try await gym.join("ann")
      try await gym.run("update setting set client_events_a_day = 1")
      let report = "report_client_event('ann', gen_random_uuid(), 'write_failed')"
      #expect(try await gym.call(report) == "true")
      #expect(try await gym.call(report) == "false")
      try await gym.run("update client_event set recorded_at = \(ahead)")
      #expect(try await gym.call(report) == "true")
    }
  }

  @Test func `a reopened week is closed`() async throws {
    try await Gym.open(at: "2024-06-09 12:00") { gym in
      try await gym.join("ann")
      try await gym.record("1", at: "2024-06-05 10:00")
      try await gym.stand(at: "2024-06-10 00:10")
      try await gym.close()
      try await gym.run("select reopen_week('g', '2024-06-03', 'phone was offline', '7 days')")
      #expect(try await gym.close().closed == 0)
      let due = "select value::text from challenges_gauges where name = 'week_closes_due'"
      #expect(try await gym.lines(due) == ["0"])
      try await gym.run("update challenge set reopened_until = \(ahead)")
      #expect(try await gym.lines(due) == ["1"])
      #expect(try await gym.close().closed == 1)
    }
  }

  @Test func `a notification about a rank does not wait`() async throws {
    try await Gym.open(at: noon) { gym in
      for (user, count) in [("ann", 2), ("bob", 1)] {
        try await gym.join(user)
        for n in 1...count { try await gym.record("\(n)", by: user, at: "2024-06-05 0\(n):00") }
      }
      try await gym.publishAndTell()
      try await gym.run(
        "update setting set rank_change_cooldown = '1 hour', rank_change_daily_cap = 1")
      for n in 3...4 { try await gym.record("\(n)", by: "bob", at: "2024-06-05 11:00") }
      try await gym.publishAndTell()
      #expect(try await gym.told().contains("bob 2 1"))
      try await gym.run("update notification set is_read = true, created_at = \(ahead)")
      try await gym.run("update standing set told_at = \(ahead) where told_at is not null")
      for n in 5...6 { try await gym.record("\(n)", by: "ann", at: "2024-06-05 11:00") }
      try await gym.publishAll()
      #expect(try await gym.tell().waiting == 0)
      #expect(try await gym.told().contains("bob 1 2"))
    }
  }
}
