import BatonPostgres
import JobTesting
import Presence
import TestSupport
import Testing

/// Tests usage limits: the boundary, repetitions, and the next hour or day.
@Suite(.timeLimit(.minutes(5))) struct PresenceLimitTests {
  private let noon = "2024-06-05 12:00"

  @Test func `a user creates a number of groups a day, and is in a number of groups`() async throws
  {
    try await Places.with(at: noon) { places in
      try await places.accounts("ann", "bob")
      try await places.sql("update setting set groups_a_day = 2, groups_of_user = 3")
      func create(_ group: String) async throws -> String {
        try await places.call("create_group('ann', '\(group)', 'G', \(Places.park), 'UTC')", "id")
      }
      for group in ["a", "b", "a"] { #expect(try await create(group) == group) }
      #expect(try await create("c") == "limitReached")
      #expect(try await create("b") == "b")
      try await places.sql("update setting set groups_a_day = 20")
      #expect(try await create("c") == "c")
      #expect(try await create("d") == "limitReached")
      try await places.found("e", by: "bob")
      #expect(try await places.call("join_public_group('ann', 'e')") == "limitReached")
      let code = try await places.call("current_invite('bob', 'e')", "code")
      #expect(try await places.call("redeem_invite('ann', '\(code)')") == "limitReached")
      try await places.call("leave_group('ann', 'c')")
      #expect(try await places.call("join_public_group('ann', 'e')", "id") == "e")
      #expect(try await places.call("join_public_group('ann', 'e')", "id") == "e")
      #expect(try await places.broken() == [])
    }
  }

  @Test func `a user creates a number of codes a day, and a repeated call is answered`()
    async throws
  {
    try await Places.with(at: noon) { places in
      try await places.accounts("ann")
      try await places.found("g", by: "ann")
      try await places.sql("update setting set invites_a_day = 2")
      func rotate(_ code: String) async throws -> String {
        try await places.call("rotate_invite('ann', 'g', '\(code)')", "code")
      }
      let first = try await places.call("current_invite('ann', 'g')", "code")
      let second = try await rotate(first)
      #expect(second != first && second.count == InviteCode.length)
      #expect(try await rotate(second) == "limitReached")
      #expect(try await rotate(first) == second)
      try await places.stand(at: "2024-06-06 12:00")
      #expect(try await rotate(second).count == InviteCode.length)
    }
  }

  @Test func `a user starts a number of sessions a day`() async throws {
    try await Places.with(at: noon) { places in
      try await places.accounts("ann")
      try await places.sql("update setting set sessions_a_day = 2")
      let begin = "begin_session('ann', 'Phone')"
      for _ in 1...2 { #expect(try await places.call(begin, "length(token)") == "64") }
      #expect(try await places.call(begin) == "limitReached")
      try await places.stand(at: "2024-06-06 12:00")
      #expect(try await places.call(begin, "length(token)") == "64")
    }
  }

  @Test func `a user sends a number of messages an hour to all groups, and a repeat is answered`()
    async throws
  {
    try await Places.with(at: noon) { places in
      try await places.accounts("ann", "bob")
      try await places.sql("update setting set messages_an_hour = 3")
      for group in ["g", "h"] { try await places.found(group, by: "ann", "bob") }
      for (n, group) in [(1, "g"), (2, "h"), (3, "g")] {
        #expect(try await places.call(ChatTests.send("ann", n, to: group), "content") == "m\(n)")
      }
      #expect(try await places.call(ChatTests.send("ann", 4, to: "h")) == "limitReached")
      #expect(try await places.call(ChatTests.send("ann", 2, to: "h"), "content") == "m2")
      #expect(try await places.call(ChatTests.send("bob", 5), "content") == "m5")
      // A Thursday begins a new partition, but the hour before it still counts.
      try await places.stand(at: "2024-06-05 23:50")
      for n in 6...8 { try await places.call(ChatTests.send("ann", n)) }
      try await places.stand(at: "2024-06-06 00:10")
      #expect(try await places.call(ChatTests.send("ann", 9)) == "limitReached")
      try await places.stand(at: "2024-06-06 00:50")
      #expect(try await places.call(ChatTests.send("ann", 9), "content") == "m9")
    }
  }

  @Test func `a user sends a number of commands an hour to all groups, and a repeat is answered`()
    async throws
  {
    try await Places.with(at: noon) { places in
      try await places.accounts("ann", "bob")
      try await places.sql("update setting set commands_an_hour = 3")
      for group in ["g", "h"] { try await places.found(group, by: "ann", "bob") }
      let first = Places.checkIn("ann", 1)
      #expect(try await places.outcome(first) == "accepted t 1")
      // Commands that change nothing are stored as well.
      #expect(try await places.outcome(Places.checkIn("ann", 2)) == "unchanged t 1")
      #expect(try await places.outcome(Places.checkIn("ann", 3, "h")) == "accepted t 1")
      #expect(try await places.outcome(Places.checkIn("ann", 4)) == "limitReached")
      #expect(
        try await places.outcome(Places.checkOut("ann", 4, by: "automatic")) == "limitReached")
      #expect(try await places.outcome(first) == "accepted t 1")
      #expect(try await places.outcome(Places.checkIn("bob", 5)) == "accepted t 1")
      // A user can always end a presence, but not send any number of check-outs.
      #expect(try await places.outcome(Places.checkOut("ann", 6)) == "accepted f 2")
      #expect(try await places.outcome(Places.checkOut("ann", 7)) == "limitReached")
      try await places.stand(at: "2024-06-05 13:00")
      #expect(try await places.outcome(Places.checkIn("ann", 4)) == "accepted t 3")
    }
  }

  @Test func `devices and accounts have a limit for all users each`() async throws {
    try await Places.with(at: noon) { places in
      try await places.sql("update setting set devices_an_hour = 2, accounts_an_hour = 1")
      func device(_ n: Int) async throws -> String {
        try await places.call(
          "sign_in('anonymous', encode(sha256('\(n)'), 'hex'))", "is_anonymous")
      }
      for n in [1, 2, 1] { #expect(try await device(n) == "t") }
      #expect(try await device(3) == "limitReached")
      #expect(try await places.call("sign_in('apple', 's1')", "is_anonymous") == "f")
      #expect(try await places.call("sign_in('apple', 's2')") == "limitReached")
      #expect(try await places.call("sign_in('apple', 's1')", "is_anonymous") == "f")
      try await places.stand(at: "2024-06-05 13:00")
      #expect(try await device(3) == "t")
    }
  }

  @Test func `an attempt counts for all users even if its transaction is rolled back`() async throws
  {
    try await Places.with(at: noon) { places in
      try await places.accounts("ann", "bob", "cid")
      try await places.found("g", by: "ann")
      try await places.sql("update setting set attempts_an_hour = 4")
      let code = try await places.call("current_invite('ann', 'g')", "code")
      let connection = try await places.test.connect()
      for _ in 1...4 {
        _ = try await connection.rolledBack(in: places.test.schema) {
          try await connection.run(
            .count(Statement("test/guess", "select redeem_invite('bob', '0000000000000000')")))
        }
      }
      await connection.close()
      #expect(try await places.sql("select attempts from invite_attempt") == [])
      let redeem = "redeem_invite('cid', '\(code)')"
      #expect(try await places.call(redeem) == "tooManyAttempts")
      try await places.stand(at: "2024-06-05 13:00")
      #expect(try await places.call(redeem, "group_id") == "g")
    }
  }
}
