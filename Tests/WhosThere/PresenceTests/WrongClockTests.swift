import TestSupport
import Testing

/// Times that were stored while the clock was three years ahead delay no call after the clock is set right.
@Suite(.timeLimit(.minutes(5))) struct WrongClockTests {
  private let noon = "2024-06-05 12:00"
  private let ahead = "timestamptz '2027-06-05 12:00Z'"

  @Test func `attempts, groups, codes, sessions and messages are not refused`() async throws {
    try await Places.with(at: noon) { places in
      try await places.accounts("ann", "bob")
      try await places.sql(
        """
        update setting set invite_attempts = 1, groups_a_day = 1, invites_a_day = 1,
          sessions_a_day = 1, messages_an_hour = 1
        """)
      try await places.found("g", by: "ann")
      try await places.sql("update groups set created_at = \(ahead)")
      #expect(
        try await places.call("create_group('ann', 'h', 'H', \(Places.park), 'UTC')", "id") == "h")
      let code = try await places.call("current_invite('ann', 'g')", "code")
      try await places.sql("update invite set created_at = \(ahead), expires_at = '2027-07-01Z'")
      let other = try await places.call("rotate_invite('ann', 'g', '\(code)')", "code")
      #expect(other.count == code.count && other != code)
      let guess = "redeem_invite('bob', '0000000000000000')"
      try await places.call(guess)
      try await places.sql("update invite_attempt set began_at = \(ahead), attempts = 9")
      #expect(try await places.call(guess).hasPrefix("inviteInvalid"))
      let begin = "begin_session('ann', 'Phone')"
      try await places.call(begin)
      try await places.sql("update session set created_at = \(ahead), expires_at = '2027-07-01Z'")
      #expect(try await places.call(begin, "length(token)") == "64")
      try await places.call(ChatTests.send("ann", 1))
      try await places.sql(
        "update message set created_at = \(ahead), partition = week_partition(\(ahead))")
      #expect(try await places.call(ChatTests.send("ann", 2), "content") == "m2")
    }
  }

  @Test func `a device's reports are obeyed`() async throws {
    try await Places.with(at: noon) { places in
      try await places.accounts("ann")
      try await places.found("g", by: "ann")
      try await places.outcome(Places.noticed("ann", 1))
      try await places.sql(
        "update presence set changed_at = \(ahead), automatic_at = \(ahead), heard_at = \(ahead)")
      #expect(try await places.outcome(Places.noticed("ann", 2)) == "unchanged t 1")
      #expect(
        try await places.sql("select count(*) from presence where heard_at = domain_now()")
          == ["1"])
      let out = Places.checkOut("ann", 3, by: "automatic")
      #expect(try await places.outcome(out) == "accepted f 2")
      #expect(try await places.outcome(Places.noticed("ann", 4)) == "accepted t 3")
    }
  }

  @Test func `a silent device is checked out 12 hours after the clock was set right`() async throws
  {
    try await Places.with(at: noon) { places in
      try await places.accounts("ann")
      try await places.found("g", by: "ann")
      try await places.outcome(Places.noticed("ann", 1))
      try await places.sql("update presence set heard_at = \(ahead)")
      #expect(try await places.call("check_out_silent(10)") == "0")
      try await places.stand(43_199)
      #expect(try await places.call("check_out_silent(10)") == "0")
      try await places.stand(43_200)
      #expect(try await places.call("check_out_silent(10)") == "1")
    }
  }

  @Test func `visits that began in the future end at their arrival`() async throws {
    try await Places.with(at: noon) { places in
      try await places.accounts("ann", "bob", "cem", "dan")
      try await places.found("g", by: "ann", "bob", "cem", "dan")
      let commands = [
        Places.noticed("ann", 1), Places.noticed("bob", 2),
        Places.checkIn("cem", 3, stay: 43_201), Places.checkIn("dan", 4, stay: 43_201),
      ]
      for command in commands {
        #expect(try await places.outcome(command) == "accepted t 1")
      }
      try await places.sql("update visit set arrival = \(ahead)")
      try await places.stand(43_200)
      #expect(try await places.call("check_out_silent(10)") == "2")
      try await places.stand(43_201)
      try await places.call("check_out_due(array(select id from presence where user_id = 'cem'))")
      try await places.call("leave_group('dan', 'g')")
      #expect(
        try await places.sql(
          "select count(*), count(*) filter (where departure = arrival) from visit") == ["4,4"])
      #expect(try await places.sql("select count(*) from presence where is_present") == ["0"])
    }
  }
}
