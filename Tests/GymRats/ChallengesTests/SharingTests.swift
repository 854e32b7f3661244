import BatonPostgres
import Challenges
import ChallengesPostgres
import ChallengesServer
import TestSupport
import Testing

/// Rules 88 and 89: a member who does not share workouts is not displayed, and workouts during that
/// time never count.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct SharingTests {
  private let noon = "2024-06-05 12:00"

  private func share(_ shares: Bool, by user: String = "ann", in gym: Gym) async throws {
    try await gym.run("select update_privacy_settings('\(user)', \(shares))")
  }

  @Test func `off in mid-week hides the entries, and on again brings them back`() async throws {
    try await Gym.open(at: noon) { gym in
      for user in ["ann", "bob"] { try await gym.join(user) }
      try await gym.record("1", at: "2024-06-04 10:00")
      try await gym.record("2", at: "2024-06-05 10:00")
      try await gym.record("1", by: "bob", at: "2024-06-04 11:00")
      try await gym.publishAll()
      #expect(try await gym.standings("2024-06-03") == ["1 1 ann 2", "2 2 bob 1"])
      try await share(false, in: gym)
      try await gym.publishAll()
      for type in ["check-ins", "streak"] {
        #expect(try await gym.standings("2024-06-03", type) == ["1 1 bob 1"])
      }
      #expect(try await gym.record("3") == "ignoredPrivacy")
      try await share(true, in: gym)
      try await gym.publishAll()
      #expect(try await gym.standings("2024-06-03") == ["1 1 ann 2", "2 2 bob 1"])
    }
  }

  @Test func `each switch wakes the boards it changes, and the same again nobody`() async throws {
    try await Gym.open(at: noon) { gym in
      for user in ["ann", "bob"] { try await gym.join(user) }
      try await gym.record("1", at: "2024-06-05 10:00")
      let events = "select count(*)::text from event where topic = 'entry.changed'"
      let before = try #require(Int(try await gym.lines(events)[0]))
      for (shares, more) in [(true, 0), (false, 2), (false, 2), (true, 4), (true, 4)] {
        try await share(shares, in: gym)
        #expect(try await gym.lines(events) == ["\(before + more)"])
      }
      // Bob has no entry.
      try await share(false, by: "bob", in: gym)
      #expect(try await gym.lines(events) == ["\(before + 4)"])
    }
  }

  @Test func `what was done while off never counts, and nothing is stored of it`() async throws {
    try await Gym.open(at: noon) { gym in
      try await gym.join("ann")
      try await gym.record("before", at: "2024-06-05 11:00")
      try await share(false, in: gym)
      try await gym.stand(at: "2024-06-05 14:00")
      #expect(try await gym.record("off", at: "2024-06-05 13:00") == "ignoredPrivacy")
      try await share(true, in: gym)
      try await gym.stand(at: "2024-06-05 15:00")
      // The pause lasts from the instant of switching off until the instant of switching on.
      for time in ["12:00", "13:00", "13:59:59.999999"] {
        #expect(try await gym.record("off \(time)", at: "2024-06-05 \(time)") == "ignoredPrivacy")
      }
      // The workout is also too late and without a group. Nothing is stored.
      #expect(try await gym.lines("select workout_id from workout") == ["before"])
      for time in ["11:59:59.999999", "14:00"] {
        #expect(
          try await gym.record("on \(time)", at: "2024-06-05 \(time)") == "accepted 2024-06-03")
      }
      #expect(try await gym.entries().first == "2024-06-03 check-ins 3 at 05 14:00")
      // An edit into a pause refers to a time for which nothing is stored.
      #expect(
        try await gym.record("before", at: "2024-06-05 13:00", revision: 1) == "ignoredPrivacy")
      #expect(try await gym.entries().first == "2024-06-03 check-ins 3 at 05 14:00")
      try await gym.stand(at: "2024-06-13 15:00")
      #expect(try await gym.record("too old", at: "2024-06-05 13:00") == "ignoredPrivacy")
      try await gym.run("update member set left_at = domain_now()")
      try await gym.run("delete from active_group")
      #expect(try await gym.record("alone", at: "2024-06-05 13:00") == "ignoredPrivacy")
    }
  }

  @Test func `the others are told nothing of a switch, and of each other as ever`() async throws {
    try await Gym.open(at: noon) { gym in
      for (user, count) in [("ann", 3), ("bob", 2), ("cid", 1)] {
        try await gym.join(user)
        for number in 1...count { try await gym.record("\(number)", by: user) }
      }
      try await gym.publishAndTell()
      try await share(false, in: gym)
      try await gym.publishAndTell()
      #expect(try await gym.told() == [])
      for name in ["2", "3"] { try await gym.record(name, by: "cid") }
      try await gym.publishAndTell()
      let told = try await gym.told().sorted()
      #expect(told == ["bob 1 2", "cid 2 1"])
      try await gym.run("update notification set is_read = true")
      try await share(true, in: gym)
      try await gym.publishAndTell()
      #expect(try await gym.standings("2024-06-03") == ["1 1 ann 3", "2 1 cid 3", "3 3 bob 2"])
      #expect(try await gym.told().sorted() == told)
    }
  }

  @Test func `a pause is one in every group, also in one that was joined later`() async throws {
    try await Gym.open(at: noon) { gym in
      try await gym.join("ann")
      try await share(false, in: gym)
      try await gym.stand(at: "2024-06-05 14:00")
      try await share(true, in: gym)
      for statement in [
        "update member set left_at = domain_now()", "delete from active_group",
        "insert into groups (id, name) values ('h', 'h')",
        "insert into member values ('h', 'ann', 'member', domain_now())",
        "insert into active_group values ('ann', 'h') on conflict do nothing",
      ] { try await gym.run(statement) }
      #expect(try await gym.record("off", at: "2024-06-05 13:00") == "ignoredPrivacy")
      #expect(try await gym.lines("select workout_id from workout") == [])
    }
  }

  @Test func `pauses are kept, and when the user last agreed`() async throws {
    try await Gym.open(at: noon) { gym in
      try await gym.join("ann")
      for (clock, shares) in [
        ("13:00", false), ("14:00", true), ("15:00", false), ("15:00", true), ("15:00", false),
      ] {
        try await gym.stand(at: "2024-06-05 \(clock)")
        try await share(shares, in: gym)
      }
      let pauses = """
        select concat_ws(' ', to_char(began_at, 'HH24:MI'), to_char(ended_at, 'HH24:MI'))
        from sharing_pause order by began_at
        """
      #expect(try await gym.lines(pauses) == ["13:00 14:00", "15:00"])
      #expect(
        try await gym.lines("select to_char(consented_at, 'HH24:MI') from users") == ["15:00"])
      let error = await #expect(throws: PostgresError.self) {
        try await gym.run("select update_privacy_settings('bob', true)")
      }
      #expect(error?.sqlState.code == "ZG001")
    }
  }

  @Test func `a closed board keeps what it shows, and reopened it shows it again`() async throws {
    try await Gym.open(at: "2024-06-08 12:00") { gym in
      for user in ["ann", "bob"] { try await gym.join(user) }
      try await gym.record("w", at: "2024-06-08 11:00")
      try await gym.stand(at: "2024-06-10 00:10")
      try await gym.close()
      // Bob's workout was late, and he no longer shares.
      try await gym.record("late", by: "bob", at: "2024-06-09 11:00")
      for user in ["ann", "bob"] { try await share(false, by: user, in: gym) }
      try await gym.publishAll()
      #expect(try await gym.standings("2024-06-03") == ["1 1 ann 1"])
      try await gym.run("select reopen_week('g', '2024-06-03', 'a mistake', '1 hour')")
      try await gym.publishAll()
      #expect(try await gym.standings("2024-06-03") == ["1 1 ann 1"])
      try await share(true, by: "bob", in: gym)
      try await gym.publishAll()
      #expect(try await gym.standings("2024-06-03") == ["1 1 ann 1", "2 1 bob 1"])
    }
  }

  @Test func `who showed nothing at the close is shown by a reopening where they share by then`()
    async throws
  {
    try await Gym.open(at: "2024-06-08 12:00") { gym in
      for user in ["ann", "bob", "cid"] {
        try await gym.join(user)
        try await gym.record("w", by: user, at: "2024-06-08 11:00")
      }
      // Entries with 0: Ann's entry is on the open board, and Bob's entry is hidden.
      for user in ["ann", "bob"] { try await gym.delete("w", by: user) }
      try await share(false, by: "bob", in: gym)
      try await gym.stand(at: "2024-06-10 00:10")
      try await gym.close()
      try await share(true, by: "bob", in: gym)
      try await gym.stand(at: "2024-06-10 00:20")
      for user in ["ann", "bob"] {
        try await gym.record("late", by: user, at: "2024-06-08 10:00")
      }
      try await share(false, in: gym)
      try await gym.stand(at: "2024-06-10 00:30")
      try await gym.run("select reopen_week('g', '2024-06-03', 'a mistake', '1 hour')")
      try await gym.publishAll()
      #expect(try await gym.standings("2024-06-03") == ["1 1 bob 1", "2 1 cid 1"])
      // The derived board of that instant is the same.
      let kept = try await KeptWeeks(gym.connection, schema: gym.schema).week(
        of: "g", holding: "2024-06-03")
      let derived = try DerivedBoard(
        .checkIns, of: #require(kept), at: #require(kept).now)?.places.map(\.user)
      #expect(derived == ["bob", "cid"])
      try await share(true, in: gym)
      try await gym.publishAll()
      #expect(try await gym.standings("2024-06-03") == ["1 1 ann 1", "2 1 bob 1", "3 1 cid 1"])
    }
  }

  @Test func `who left is not seen again by sharing`() async throws {
    try await Gym.open(at: noon) { gym in
      try await gym.join("ann")
      try await gym.record("w")
      try await gym.run("update member set left_at = domain_now()")
      try await gym.run("update entry set hidden = true")
      for shares in [false, true] { try await share(shares, in: gym) }
      #expect(try await gym.lines("select distinct hidden::text from entry") == ["true"])
    }
  }

  @Test func `the owner's own hand switches as the call does`() async throws {
    try await Gym.open(at: noon) { gym in
      try await gym.join("ann")
      try await gym.record("w")
      try await gym.run("update users set shares_workouts = false")
      #expect(try await gym.lines("select distinct hidden::text from entry") == ["true"])
      #expect(try await gym.lines("select user_id from sharing_pause") == ["ann"])
    }
  }
}
