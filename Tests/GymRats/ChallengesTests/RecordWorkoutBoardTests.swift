import BatonPostgres
import TestSupport
import Testing

/// Rules 18, 21, 22, 25, 35, 39 to 41 and 45: how a board displays a member's workouts.
@Suite(.serialized)
struct RecordWorkoutBoardTests {
  private let noon = "2024-06-05 12:00"

  @Test func `several workouts a day count, and are one day of a streak`() async throws {
    try await Gym.open(at: noon) { gym in
      try await gym.join("ann")
      for hour in ["07", "09", "08"] { try await gym.record(hour, at: "2024-06-05 \(hour):00") }
      #expect(
        try await gym.entries() == [
          "2024-06-03 check-ins 3 at 05 09:00", "2024-06-03 streak 1 at 05 07:00",
        ])
    }
  }

  @Test func `a workout that comes late moves when a streak was reached, not a value`()
    async throws
  {
    try await Gym.open(at: noon) { gym in
      try await gym.join("ann")
      try await gym.record("a", at: "2024-06-05 10:00")
      try await gym.record("b", at: "2024-06-05 06:00")
      #expect(
        try await gym.entries() == [
          "2024-06-03 check-ins 2 at 05 10:00", "2024-06-03 streak 1 at 05 06:00",
        ])
    }
  }

  @Test func `last_updated moves only when the value does`() async throws {
    try await Gym.open(at: "2024-06-04 12:00") { gym in
      try await gym.join("ann")
      try await gym.record("a", at: "2024-06-04 10:00")
      try await gym.stand(at: "2024-06-04 13:00")
      // The streak stays 1, its reached_at changes, and the check-ins increase from 1 to 2.
      try await gym.record("b", at: "2024-06-04 09:00")
      let updated = """
        select concat_ws(' ', c.type, e.value, to_char(e.last_updated, 'HH24:MI'))
        from entry e join challenge c on c.id = e.challenge_id order by c.type
        """
      #expect(try await gym.lines(updated) == ["check-ins 2 13:00", "streak 1 12:00"])
      try await gym.stand(at: "2024-06-04 14:00")
      // An edit within the day changes neither value.
      try await gym.record("b", at: "2024-06-04 09:30", revision: 1)
      #expect(try await gym.lines(updated) == ["check-ins 2 13:00", "streak 1 12:00"])
    }
  }

  @Test func `a streak is carried in from the week before, and over its end`() async throws {
    try await Gym.open(at: "2024-06-11 12:00") { gym in
      try await gym.join("ann")
      for day in ["11", "07", "10", "08", "09"] {
        try await gym.record(day, at: "2024-06-\(day) 10:00")
      }
      #expect(
        try await gym.entries() == [
          "2024-06-03 check-ins 3 at 09 10:00", "2024-06-03 streak 3 at 09 10:00",
          "2024-06-10 check-ins 2 at 11 10:00", "2024-06-10 streak 5 at 11 10:00",
        ])
    }
  }

  @Test func `a late workout that bridges two weeks changes both streaks`() async throws {
    try await Gym.open(at: "2024-06-11 12:00") { gym in
      try await gym.join("ann")
      for day in ["07", "08", "10", "11"] { try await gym.record(day, at: "2024-06-\(day) 10:00") }
      #expect(try await gym.entries().last == "2024-06-10 streak 2 at 11 10:00")
      #expect(try await gym.record("09", at: "2024-06-09 10:00") == "accepted 2024-06-03")
      #expect(try await gym.entries().last == "2024-06-10 streak 5 at 11 10:00")
      #expect(try await gym.entries()[1] == "2024-06-03 streak 3 at 09 10:00")
    }
  }

  @Test func `a streak of many weeks is carried by one day of each`() async throws {
    try await Gym.open(at: "2024-01-01 12:00") { gym in
      try await gym.join("ann")
      for day in 0..<60 {
        try await gym.stand(
          at: gym.lines(
            "select (timestamptz '2024-01-01 12:00' + \(day) * interval '1 day')::text")[
              0])
        try await gym.record("\(day)")
      }
      #expect(try await gym.entries().last == "2024-02-26 streak 60 at 29 12:00")
    }
  }

  @Test func `the peak stays when a run breaks`() async throws {
    try await Gym.open(at: "2024-06-09 12:00") { gym in
      try await gym.join("ann")
      for day in ["03", "04", "05", "07", "09"] {
        try await gym.record(day, at: "2024-06-\(day) 10:00")
      }
      #expect(try await gym.entries().last == "2024-06-03 streak 3 at 05 10:00")
    }
  }

  @Test func `a flight over the date line bridges a date, unless there is a workout on it`()
    async throws
  {
    try await Gym.open(at: "2024-06-07 12:00") { gym in
      try await gym.join("ann")
      // 4 June 20:00 in Honolulu, 6 June 18:00 in Auckland: 24 h apart.
      try await gym.record("a", at: "2024-06-05 06:00", offset: -36_000)
      try await gym.record("b", at: "2024-06-06 06:00", offset: 43_200)
      #expect(try await gym.entries().last == "2024-06-03 streak 2 at 06 06:00")
      // At 5 June 19:00 in Honolulu, the date is present.
      try await gym.record("c", at: "2024-06-06 05:00", offset: -36_000)
      #expect(try await gym.entries().last == "2024-06-03 streak 3 at 06 06:00")
    }
  }

  @Test func `a later workout can lower a streak, as it breaks a bridge`() async throws {
    try await Gym.open(at: "2024-06-07 12:00") { gym in
      try await gym.join("ann")
      try await gym.record("a", at: "2024-06-04 21:00", offset: 7200)
      try await gym.record("b", at: "2024-06-05 23:10", offset: 3600)
      #expect(try await gym.entries().last == "2024-06-03 streak 2 at 05 23:10")
      // 6 June now begins, at 00:05, with the offset of 4 June: no bridge.
      try await gym.record("c", at: "2024-06-05 22:05", offset: 7200)
      #expect(try await gym.entries().last == "2024-06-03 streak 1 at 04 21:00")
    }
  }

  @Test func `only so many check-ins of a local date count where that is set`() async throws {
    try await Gym.open(at: noon) { gym in
      try await gym.join("ann")
      try await gym.run("update setting set max_checkins_per_day = 2")
      for hour in ["11", "07", "09", "08"] {
        #expect(
          try await gym.record(hour, at: "2024-06-05 \(hour):00") == "accepted 2024-06-03")
      }
      try await gym.record("tuesday", at: "2024-06-04 10:00")
      #expect(
        try await gym.entries() == [
          "2024-06-03 check-ins 3 at 05 08:00", "2024-06-03 streak 2 at 05 07:00",
        ])
    }
  }

  @Test func `the limit of a date that lies in two weeks is one limit`() async throws {
    try await Gym.open(at: "2024-06-10 12:00") { gym in
      try await gym.join("ann")
      try await gym.run("update setting set max_checkins_per_day = 1")
      // Both on Sunday at -05:00: the second one in the next week in UTC.
      try await gym.record("b", at: "2024-06-10 03:00", offset: -18_000)
      #expect(try await gym.entries().first == "2024-06-10 check-ins 1 at 10 03:00")
      try await gym.record("a", at: "2024-06-09 20:00", offset: -18_000)
      let values = try await gym.entries().map {
        $0.split(separator: " ").prefix(3).joined(separator: " ")
      }
      #expect(
        values == [
          "2024-06-03 check-ins 1", "2024-06-03 streak 1", "2024-06-10 check-ins 0",
          "2024-06-10 streak 1",
        ])
    }
  }

  @Test func `names and photos are those of the user`() async throws {
    try await Gym.open(at: noon) { gym in
      try await gym.join("ann")
      try await gym.record("a", at: "2024-06-04 10:00")
      try await gym.run("update users set display_name = 'Ann B.', photo_url = 'p'")
      let names = "select distinct concat_ws(' ', display_name, photo_url) from entry"
      #expect(try await gym.lines(names) == ["Ann B. p"])
      try await gym.record("b", at: "2024-06-05 10:00")
      #expect(try await gym.lines(names) == ["Ann B. p"])
    }
  }

  @Test func `boards have the same id whoever makes them`() async throws {
    try await Gym.open(at: noon) { gym in
      try await gym.join("ann", "g/1")
      try await gym.record("w")
      let found = try await gym.lines(
        """
        select (id = challenge_id('g/1', '2024-06-03', type))::text || substr(id::text, 15, 1)
        from challenge
        """)
      // Version 8.
      #expect(found == ["true8", "true8"])
      let ids = try await gym.lines(
        """
        select challenge_id(g, w, t)::text from unnest(array['g/1', 'g', '1', 'é', 'e\u{301}']) g,
          unnest(array[date '2024-06-03', '1969-12-29']) w, unnest(enum_range(null::challenge_type)) t
        """)
      #expect(Set(ids).count == 20)
    }
  }

  @Test func `an entry that is alone goes to 0 when its workout goes to the week before`()
    async throws
  {
    try await Gym.open(at: noon) { gym in
      try await gym.join("ann")
      try await gym.run("update setting set max_checkins_per_day = 1")
      // In Ann's zone, both workouts are on Monday, 3 June. The workout that counts is in the
      // previous week.
      try await gym.record("a", at: "2024-06-02 22:00", offset: 3 * 3600)
      try await gym.record("b", at: "2024-06-03 10:00", offset: 3 * 3600)
      #expect(
        try await gym.entries() == [
          "2024-05-27 check-ins 1 at 02 22:00", "2024-05-27 streak 1 at 02 22:00",
          "2024-06-03 streak 1 at 03 10:00",
        ])
      try await gym.record("b", at: "2024-06-02 10:00", offset: 3 * 3600, revision: 1)
      #expect(
        try await gym.entries() == [
          "2024-05-27 check-ins 2 at 02 22:00", "2024-05-27 streak 2 at 02 22:00",
          "2024-06-03 streak 0 at 03 10:00",
        ])
    }
  }
}
