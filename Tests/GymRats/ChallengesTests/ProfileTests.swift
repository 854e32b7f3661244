import BatonPostgres
import Challenges
import TestSupport
import Testing

/// Rule 28: names and photos on open boards follow the profile, and on closed boards they do not
/// change.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct ProfileTests {
  private let noon = "2024-06-05 12:00"

  @Test func `open boards show the new name at once, closed ones keep theirs`() async throws {
    try await Gym.open(at: "2024-06-08 12:00") { gym in
      try await gym.join("ann")
      try await gym.record("w", at: "2024-06-08 11:00")
      try await gym.stand(at: "2024-06-10 00:10")
      try await gym.close()
      try await gym.record("x", at: "2024-06-10 00:05")
      let updated = try await gym.lines("select last_updated::text from entry order by 1")
      try await gym.stand(at: "2024-06-10 13:00")
      try await gym.run("select update_profile('ann', 'Ann Lee', 'https://example.org/a.png')")
      try await gym.publishAll()
      #expect(
        try await gym.lines(
          """
          select distinct concat_ws(' ', week_start, display_name, photo_url) from leaderboard
          order by 1
          """) == ["2024-06-03 ann", "2024-06-10 Ann Lee https://example.org/a.png"])
      // A closed board would display the same after a reopening.
      #expect(
        try await gym.lines(
          """
          select distinct concat_ws(' ', c.week_start, e.display_name)
          from entry e join challenge c on c.id = e.challenge_id order by 1
          """) == ["2024-06-03 ann", "2024-06-10 Ann Lee"])
      #expect(try await gym.lines("select last_updated::text from entry order by 1") == updated)
    }
  }

  @Test func `the same profile again wakes nobody`() async throws {
    try await Gym.open(at: noon) { gym in
      try await gym.join("ann")
      try await gym.record("w")
      let call = "select update_profile('ann', 'Ann', null)"
      try await gym.run(call)
      let before = try await gym.lines("select id::text from event")
      try await gym.run(call)
      #expect(try await gym.lines("select id::text from event") == before)
    }
  }

  @Test(
    .sampled(),
    arguments: [
      ("'bob', 'Bob', null", "ZG001"), ("'ann', null, null", "ZG012"),
      ("'ann', ' ', null", "ZG012"),
      ("'ann', repeat('é', 129), null", "ZG012"), ("'ann', e'a\\nb', null", "ZG012"),
      ("'ann', 'Ann', 'http://example.org/a.png'", "ZG012"),
      ("'ann', 'Ann', 'javascript:alert(1)'", "ZG012"),
      ("'ann', 'Ann', 'https://example.org/' || repeat('a', 2048)", "ZG012"),
    ])
  func `a profile that is none is an error that changes nothing`(arguments: String, code: String)
    async throws
  {
    try await Gym.open(at: noon) { gym in
      try await gym.join("ann")
      let error = await #expect(throws: PostgresError.self) {
        try await gym.run("select update_profile(\(arguments))")
      }
      #expect(error?.sqlState.code == code)
      #expect(error?.hint?.hasPrefix("Nothing was changed.") == true)
      #expect(
        try await gym.lines("select concat_ws(' ', display_name, photo_url) from users") == ["ann"])
    }
  }

  // MARK: Zones

  @Test(
    .sampled(),
    arguments: [
      "Mars/Olympus", "", "XYZ20", "ABC-15", "AAA-3BBB,M3.2.0,M11.1.0", "Europe/Athens ",
      "AAA-14BBB-20",
    ])
  func `no hand writes a zone that later calls would fail of`(zone: String) async throws {
    try await Gym.open(at: noon) { gym in
      try await gym.join("ann")
      for statement in [
        "update users set time_zone = '\(zone)'",
        "insert into users (id, display_name, time_zone) values ('bob', 'Bob', '\(zone)')",
      ] {
        // For an unknown zone, the server itself reports the error.
        await expectSQLState(zone == "Mars/Olympus" ? "22023" : "23514") {
          try await gym.run(statement)
        }
      }
      #expect(try await gym.record("w") == "accepted 2024-06-03")
    }
  }

  @Test func `every zone that there is may be set, and a workout recorded in it`() async throws {
    try await Gym.open(at: noon) { gym in
      try await gym.join("ann")
      let refused = try await gym.lines(
        """
        select name from pg_timezone_names
        where name not like 'posix%' and not (name ~ '^[A-Za-z0-9/_+-]{1,64}$'
          and utc_offset between '-12:00' and '14:00')
        """)
      #expect(refused == [])
      for zone in ["Pacific/Kiritimati", "Etc/GMT+12", "Asia/Kathmandu", "America/Port-au-Prince"] {
        try await gym.run("update users set time_zone = '\(zone)'")
        #expect(try await gym.record(zone) == "accepted 2024-06-03")
      }
    }
  }
}
