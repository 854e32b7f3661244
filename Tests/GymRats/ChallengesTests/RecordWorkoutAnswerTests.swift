import BatonPostgres
import TestSupport
import Testing

/// Rules 15 and 16: the answers to a call, to its repetition, and to a changed call.
@Suite(.serialized)
struct RecordWorkoutAnswerTests {
  private let noon = "2024-06-05 12:00"

  @Test func `a workout is accepted with its week`() async throws {
    try await Gym.open(at: noon) { gym in
      try await gym.join("ann")
      #expect(try await gym.record("w") == "accepted 2024-06-03")
      #expect(
        try await gym.entries() == [
          "2024-06-03 check-ins 1 at 05 12:00", "2024-06-03 streak 1 at 05 12:00",
        ])
    }
  }

  @Test func `the same call again gets its first answer and changes nothing`() async throws {
    try await Gym.open(at: noon) { gym in
      try await gym.join("ann")
      let time = "2024-06-05 11:00"
      #expect(try await gym.record("w", at: time, offset: 7200) == "accepted 2024-06-03")
      let state = "select concat_ws(' ', w, d, e) from workout w, workout_day d, entry e order by e"
      let before = try await gym.lines(state)
      let events = try await gym.lines("select id::text from event")
      // The answer is the same after 7 and 90 days, and after the board was closed.
      for clock in [noon, "2024-06-20", "2024-12-24"] {
        try await gym.stand(at: clock)
        #expect(
          try await gym.record("w", at: time, offset: 7200) == "accepted 2024-06-03 again")
      }
      try await gym.run("update challenge set state = 'closed'")
      #expect(try await gym.record("w", at: time, offset: 7200) == "accepted 2024-06-03 again")
      #expect(try await gym.lines(state) == before)
      #expect(try await gym.lines("select id::text from event") == events)
    }
  }

  @Test func `every stored outcome is replayed, with its reason`() async throws {
    try await Gym.open(at: noon) { gym in
      try await gym.join("ann", at: "2024-06-05 10:00")
      let calls = [
        ("old", "2024-05-20", "rejected tooOld 2024-05-20"),
        ("future", "2024-06-06", "rejected futureTimestamp 2024-06-03"),
        ("before", "2024-06-05 09:00", "notCounted beforeJoining 2024-06-03"),
      ]
      for (id, time, answer) in calls {
        #expect(try await gym.record(id, at: time) == answer)
        #expect(try await gym.record(id, at: time) == answer + " again")
      }
      #expect(try await gym.entries() == [])
      #expect(try await gym.lines("select id::text from event") == [])
    }
  }

  @Test func `another payload under the same id is a conflict`() async throws {
    try await Gym.open(at: noon) { gym in
      try await gym.join("ann")
      try await gym.record("w", at: "2024-06-05 11:00", offset: 0)
      let conflict = "rejected idempotencyConflict 2024-06-03"
      #expect(try await gym.record("w", at: "2024-06-05 11:00:00.000001", offset: 0) == conflict)
      #expect(try await gym.record("w", at: "2024-06-05 11:00", offset: 3600) == conflict)
      #expect(try await gym.record("w", at: "2024-06-05 11:00") == conflict)
      #expect(try await gym.record("w", offset: 0) == conflict)
      #expect(
        try await gym.record("w", at: "2024-06-05 11:00", offset: 0)
          == "accepted 2024-06-03 again")
      #expect(try await gym.entries().first == "2024-06-03 check-ins 1 at 05 11:00")
    }
  }

  @Test func `one id of two users is two workouts`() async throws {
    try await Gym.open(at: noon) { gym in
      try await gym.join("ann")
      try await gym.join("bob")
      #expect(try await gym.record("w", by: "ann") == "accepted 2024-06-03")
      #expect(try await gym.record("w", by: "bob") == "accepted 2024-06-03")
    }
  }

  @Test func `ids are told apart by their bytes`() async throws {
    try await Gym.open(at: noon) { gym in
      try await gym.join("ann")
      for id in ["é", "e\u{301}", "E", "e", " e", "ｅ", String(repeating: "x", count: 256)] {
        #expect(try await gym.record(id) == "accepted 2024-06-03")
      }
      #expect(try await gym.entries().first == "2024-06-03 check-ins 7 at 05 12:00")
    }
  }

  @Test func `a user that is not there is an error that writes nothing`() async throws {
    try await Gym.open(at: noon) { gym in
      try await gym.join("ann")
      let error = await #expect(throws: PostgresError.self) {
        try await gym.record("w", by: "nobody")
      }
      #expect(error?.sqlState == "ZB001")
      #expect(error?.message.contains("'nobody'") == true)
      #expect(error?.hint?.isEmpty == false)
      #expect(try await gym.lines("select workout_id from workout") == [])
    }
  }

  @Test(
    .sampled(),
    arguments: [
      (nil, "w", 0), ("ann", nil, 0), ("ann", "", 0), ("ann", "a\nb", 0), ("ann", "\u{7f}", 0),
      ("ann", "\u{1}", 0), ("ann", String(repeating: "é", count: 129), 0), ("ann", "w", -1),
      ("ann", "w", nil),
    ] as [(String?, String?, Int32?)])
  func `an id or revision that is none is an error that writes nothing`(
    user: String?, workout: String?, revision: Int32?
  ) async throws {
    try await Gym.open(at: noon) { gym in
      try await gym.join("ann")
      let error = await #expect(throws: PostgresError.self) {
        try await gym.record(workout, by: user, revision: revision)
      }
      #expect(error?.sqlState == "ZB002")
      #expect(error?.hint?.isEmpty == false)
      #expect(try await gym.lines("select workout_id from workout") == [])
    }
  }

  @Test func `who is in no group has the workout stored and nothing counted`() async throws {
    try await Gym.open(at: noon) { gym in
      try await gym.run("insert into users (id, display_name) values ('ann', 'ann')")
      #expect(try await gym.record("w") == "noActiveGroup 2024-06-03")
      #expect(try await gym.record("w") == "noActiveGroup 2024-06-03 again")
      #expect(try await gym.lines("select outcome::text from workout") == ["noActiveGroup"])
      #expect(try await gym.lines("select id::text from challenge") == [])
    }
  }

  @Test func `who left the group, or changed it, counts for the active one only`() async throws {
    try await Gym.open(at: noon) { gym in
      try await gym.join("ann", "g")
      try await gym.run("insert into groups (id, name) values ('h', 'h')")
      try await gym.run("update member set left_at = '2024-06-05 11:00'")
      #expect(try await gym.record("1") == "noActiveGroup 2024-06-03")
      try await gym.run("insert into member values ('h', 'ann', 'member', '2024-06-05 11:30')")
      #expect(try await gym.record("2") == "accepted 2024-06-03")
      let boards = try await gym.lines(
        "select distinct group_id from challenge join entry on challenge_id = id")
      #expect(boards == ["h"])
    }
  }

  @Test func `a user has one active group`() async throws {
    try await Gym.open(at: noon) { gym in
      try await gym.join("ann", "g")
      try await gym.run("insert into groups (id, name) values ('h', 'h')")
      for (second, state) in [
        ("insert into member values ('h', 'ann', 'member', '2024-06-05')", "ZG002"),
        ("insert into active_group values ('ann', 'h')", "23505"),
        ("update active_group set group_id = 'h'", "23503"),
      ] as [(String, SQLState)] {
        await expectSQLState(state, second) { try await gym.run(second) }
      }
      #expect(try await gym.lines("select group_id from active_group") == ["g"])
    }
  }

  @Test func `nothing is stored of who does not share workouts`() async throws {
    try await Gym.open(at: noon) { gym in
      try await gym.join("ann")
      try await gym.record("before")
      try await gym.run("update users set shares_workouts = false")
      let calls = try await gym.lines("select calls::text from member")
      #expect(try await gym.record("w") == "ignoredPrivacy")
      #expect(try await gym.record("w", at: "2020-01-01") == "ignoredPrivacy")
      #expect(try await gym.record("w", offset: 999_999) == "ignoredPrivacy")
      #expect(try await gym.record("before") == "accepted 2024-06-03 again")
      #expect(try await gym.lines("select workout_id from workout") == ["before"])
      #expect(try await gym.lines("select calls::text from member") == calls)
      try await gym.run("update users set shares_workouts = true")
      #expect(try await gym.record("w") == "accepted 2024-06-03")
    }
  }

  @Test func `a call that fails leaves nothing: ledger, entries and events are one`() async throws {
    try await Gym.open(at: noon) { gym in
      try await gym.join("ann")
      await expectSQLState("22012") {
        try await gym.connection.atomically(
          in: gym.schema, .record("w", by: "ann"), .test("select 1 / 0"))
      }
      let left = try await gym.lines(
        """
        select workout_id from workout union all select key from event
        union all select user_id from entry union all select id::text from challenge
        """)
      #expect(left == [])
    }
  }
}
