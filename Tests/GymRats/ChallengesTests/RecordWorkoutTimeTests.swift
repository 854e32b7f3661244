import BatonPostgres
import TestSupport
import Testing

/// Rules 7, 33, 37 and 38: which instants count, and on which local date.
@Suite(.serialized)
struct RecordWorkoutTimeTests {
  private let noon = "2024-06-05 12:00"

  @Test(
    .sampled(),
    arguments: [
      ("2024-05-29 12:00:00.000000", "accepted 2024-05-27"),
      ("2024-05-29 11:59:59.999999", "rejected tooOld 2024-05-27"),
      ("2024-03-07 12:00:00.000000", "rejected tooOld 2024-03-04"),
      ("2024-03-07 11:59:59.999999", "expired"),
      ("2024-06-05 12:05:00.000000", "accepted 2024-06-03"),
      ("2024-06-05 12:05:00.000001", "rejected futureTimestamp 2024-06-03"),
      ("infinity", "rejected futureTimestamp 2024-06-03"), ("-infinity", "expired"),
      ("4713-01-01 00:00 BC", "expired"),
      (
        "294276-12-31 23:59:59.999999",
        "rejected futureTimestamp 2024-06-03"
      ),
    ])
  func `the limits of acceptance are exact to the microsecond`(
    time: String, answer: String
  ) async throws {
    try await Gym.open(at: noon) { gym in
      try await gym.join("ann")
      #expect(try await gym.record("w", at: time) == answer)
      #expect(try await gym.entries().count == (answer.hasPrefix("accepted") ? 2 : 0))
    }
  }

  @Test func `an expired workout is not stored, so that a purged key cannot count twice`()
    async throws
  {
    try await Gym.open(at: noon) { gym in
      try await gym.join("ann")
      for _ in 0..<2 { #expect(try await gym.record("w", at: "2024-01-01") == "expired") }
      #expect(try await gym.lines("select workout_id from workout") == [])
    }
  }

  @Test func `the future part is cut off, also across the end of a week`() async throws {
    try await Gym.open(at: "2024-06-09 23:57") { gym in
      try await gym.join("ann")
      #expect(try await gym.record("w", at: "2024-06-10 00:01") == "accepted 2024-06-03")
      #expect(
        try await gym.lines("select performed_at::text from workout") == ["2024-06-09 23:57:00+00"])
      // A retry is the same call although the clock has advanced.
      try await gym.stand(at: "2024-06-10 00:10")
      #expect(try await gym.record("w", at: "2024-06-10 00:01") == "accepted 2024-06-03 again")
    }
  }

  @Test func `a missing time is the time of receipt`() async throws {
    try await Gym.open(at: "2024-06-09 23:59:59.999999") { gym in
      try await gym.join("ann")
      #expect(try await gym.record("a") == "accepted 2024-06-03")
      try await gym.stand(at: "2024-06-10 00:00")
      #expect(try await gym.record("b") == "accepted 2024-06-10")
    }
  }

  @Test(
    .sampled(),
    arguments: [
      (-43_200, "accepted 2024-06-03", "2024-06-04"), (50_400, "accepted 2024-06-03", "2024-06-06"),
      (-43_201, "rejected utcOffsetOutOfRange", nil), (50_401, "rejected utcOffsetOutOfRange", nil),
      (Int32.min, "rejected utcOffsetOutOfRange", nil),
      (Int32.max, "rejected utcOffsetOutOfRange", nil),
      (20_700, "accepted 2024-06-03", "2024-06-05"),
    ] as [(Int32, String, String?)])
  func `offsets go from -12 to +14 hours`(
    offset: Int32, answer: String, date: String?
  ) async throws {
    try await Gym.open(at: noon) { gym in
      try await gym.join("ann")
      let time = offset < 0 ? "2024-06-05 11:59:59.999999" : "2024-06-05 10:00"
      #expect(try await gym.record("w", at: time, offset: offset) == answer)
      #expect(
        try await gym.lines("select local_date::text from workout") == [date].compactMap(\.self))
    }
  }

  @Test func `the local date is that of the profile's zone, of the offset sent, or UTC's`()
    async throws
  {
    try await Gym.open(at: "2024-06-05 03:30") { gym in
      try await gym.join("utc")
      try await gym.join("york", zone: "America/New_York")
      try await gym.join("moved", zone: "America/New_York")
      for user in ["utc", "york"] { try await gym.record("w", by: user) }
      try await gym.record("w", by: "moved", offset: -3 * 3600)
      let dates = try await gym.lines(
        "select concat_ws(' ', user_id, local_date, utc_offset_s) from workout order by user_id")
      #expect(dates == ["moved 2024-06-05 -10800", "utc 2024-06-05 0", "york 2024-06-04 -14400"])
    }
  }

  @Test func `a zone's clock changes are followed`() async throws {
    // New York changes from -05:00 to -04:00 at 07:00Z.
    try await Gym.open(at: "2024-03-12 00:00") { gym in
      try await gym.join("ann", zone: "America/New_York")
      for time in ["2024-03-10 04:59", "2024-03-10 06:59", "2024-03-10 07:00", "2024-03-11 03:59"] {
        try await gym.record(time, at: time)
      }
      let found = try await gym.lines(
        "select concat_ws(' ', local_date, utc_offset_s) from workout order by performed_at")
      #expect(
        found == [
          "2024-03-09 -18000", "2024-03-10 -18000", "2024-03-10 -14400", "2024-03-10 -14400",
        ])
      // The workouts are on 9 and 10 March. All except for the last one are in the week of 4 March.
      #expect(
        try await gym.entries() == [
          "2024-03-04 check-ins 3 at 10 07:00", "2024-03-04 streak 2 at 10 06:59",
          "2024-03-11 check-ins 1 at 11 03:59", "2024-03-11 streak 2 at 11 03:59",
        ])
    }
  }

  @Test func `a zone with half hours, and the last one on earth`() async throws {
    try await Gym.open(at: "2024-06-05 18:20") { gym in
      try await gym.join("delhi", zone: "Asia/Kolkata")
      try await gym.join("line", zone: "Pacific/Kiritimati")
      for user in ["delhi", "line"] { try await gym.record("w", by: user, at: "2024-06-05 18:20") }
      let found = try await gym.lines(
        "select concat_ws(' ', user_id, local_date, utc_offset_s) from workout order by user_id")
      #expect(found == ["delhi 2024-06-05 19800", "line 2024-06-06 50400"])
    }
  }

  @Test func `past days keep the date they were given`() async throws {
    try await Gym.open(at: "2024-06-05 03:30") { gym in
      try await gym.join("ann")
      try await gym.record("a")
      try await gym.run("select set_time_zone('ann', 'America/New_York')")
      #expect(try await gym.lines("select local_date::text from workout") == ["2024-06-05"])
      try await gym.record("b")
      #expect(
        try await gym.lines("select local_date::text from workout order by workout_id") == [
          "2024-06-05", "2024-06-04",
        ])
      #expect(try await gym.entries().last == "2024-06-03 streak 2 at 05 03:30")
    }
  }

  @Test func `the zone changes once in 24 hours`() async throws {
    try await Gym.open(at: "2024-06-05 03:30") { gym in
      try await gym.join("ann")
      let tokyo = "select set_time_zone('ann', 'Asia/Tokyo')"
      try await gym.run("select set_time_zone('ann', 'Europe/Athens')")
      try await gym.stand(at: "2024-06-06 03:29:59.999999")
      let error = await #expect(throws: PostgresError.self) { try await gym.run(tokyo) }
      #expect(error?.sqlState == "ZB004")
      try await gym.stand(at: "2024-06-06 03:30")
      try await gym.run(tokyo)
      #expect(try await gym.lines("select time_zone from users") == ["Asia/Tokyo"])
    }
  }

  /// A phone repeats a call whose response it has not received.
  @Test func `a repeated call with the same zone succeeds, and does not count as a change`()
    async throws
  {
    try await Gym.open(at: "2024-06-05 03:30") { gym in
      try await gym.join("ann")
      let set = "select set_time_zone('ann', 'Europe/Athens')"
      try await gym.run(set)
      let row = "select xmin::text || ' ' || version || ' ' || time_zone_changed_at from users"
      let before = try await gym.lines(row)
      for time in ["2024-06-05 03:31", "2024-06-07 03:30"] {
        try await gym.stand(at: time)
        try await gym.run(set)
        #expect(try await gym.lines(row) == before)
      }
      try await gym.run("select set_time_zone('ann', 'Asia/Tokyo')")
      #expect(try await gym.lines("select time_zone from users") == ["Asia/Tokyo"])
    }
  }

  @Test(
    .sampled(),
    arguments: [
      ("'ann', 'Mars/Olympus'", "ZB003"), ("'ann', ''", "ZB003"), ("'ann', null", "ZB003"),
      ("'ann', '+03'", "ZB003"), ("'bob', 'Europe/Athens'", "ZB001"),
      ("null, 'Europe/Athens'", "ZB001"),
    ])
  func `a zone or user that is none is an error`(arguments: String, state: String) async throws {
    try await Gym.open(at: noon) { gym in
      try await gym.join("ann")
      let error = await #expect(throws: PostgresError.self) {
        try await gym.run("select set_time_zone(\(arguments))")
      }
      #expect(error?.sqlState.code == state)
      #expect(error?.hint?.hasPrefix("Nothing was changed.") == true)
      #expect(try await gym.lines("select coalesce(time_zone, '-') from users") == ["-"])
    }
  }

  @Test func `only workouts from the microsecond of joining on count`() async throws {
    try await Gym.open(at: noon) { gym in
      try await gym.join("ann", at: "2024-06-04 10:00")
      #expect(
        try await gym.record("a", at: "2024-06-04 09:59:59.999999")
          == "notCounted beforeJoining 2024-06-03")
      #expect(try await gym.entries() == [])
      #expect(try await gym.lines("select id::text from challenge") == [])
      #expect(try await gym.record("b", at: "2024-06-04 10:00") == "accepted 2024-06-03")
      #expect(try await gym.entries().first == "2024-06-03 check-ins 1 at 04 10:00")
    }
  }
}
