import BatonPostgres
import ChallengesSQL
import TestSupport
import Testing

/// Tests the SQL functions of devices that receive push notifications, and of their settings.
@Suite struct PushDeviceTests {
  private static let phone = String(repeating: "AB", count: 32)
  private static let secret = String(repeating: "s", count: 32)

  private func register(_ user: String, _ arguments: String, _ gym: Gym) async throws -> String {
    try await gym.call("register_push_device('\(user)', \(arguments))")
  }

  @Test func `a device is registered once, and moves to the user who registered it last`()
    async throws
  {
    try await Gym.open(at: "2024-06-05 12:00") { gym in
      try await gym.users("ann", "bob")
      let first = try await register("ann", "'apns', '\(Self.phone)'", gym)
      let again = try await register(
        "ann", "'apns', lower('\(Self.phone)'), 'sandbox', 'pt-BR'", gym)
      #expect(first == again)
      let devices = "select concat_ws(' ', platform, environment, locale) from push_devices('ann')"
      #expect(try await gym.lines(devices) == ["apns sandbox pt-BR"])
      let moved = try await register("bob", "'apns', '\(Self.phone)'", gym)
      #expect(moved != first)
      let users = "select user_id::text from push_device order by id"
      #expect(try await gym.lines(users) == ["bob"])
      // A device of another user cannot be removed.
      try await gym.call("remove_push_device('ann', \(moved))")
      #expect(try await gym.lines(users) == ["bob"])
      try await gym.call("remove_push_device('bob', \(moved))")
      #expect(try await gym.lines(users) == [])
      // Two users can have the same webhook.
      for user in ["ann", "bob"] {
        _ = try await register(
          user, "'webhook', 'https://hooks.test/a', secret => '\(Self.secret)'", gym)
      }
      #expect(try await gym.lines(users) == ["ann", "bob"])
    }
  }

  @Test func `a sign-out on all devices ends the pushes to all devices`() async throws {
    try await Gym.open(at: "2024-06-05 12:00") { gym in
      try await gym.users("ann", "bob")
      for user in ["ann", "bob"] { _ = try await register(user, "'fcm', 'of-\(user)'", gym) }
      try await gym.call("end_sessions('ann')")
      #expect(try await gym.lines("select user_id::text from push_device") == ["bob"])
    }
  }

  /// The access token of an ended session is still valid for some minutes.
  @Test func `a session that has ended registers no device`() async throws {
    try await Gym.open(at: "2024-06-05 12:00") { gym in
      try await gym.users("ann", "bob")
      func begin(_ user: String) async throws -> String {
        try await gym.lines("select session_id::text from begin_session('\(user)', 'Phone')")[0]
      }
      func register(_ session: String?) async throws {
        let register = Call.row(
          SQL.Api.registerPushDevice, "ann", "fcm", "token", "production", "en", String?.none,
          session
        ) { (row) throws(PostgresError) in try row.decode(Int64.self) }
        _ = try await gym.connection.atomically(in: gym.schema, register)
      }
      let devices = "select user_id::text from push_device"
      let (phone, tablet, foreign) = try await (begin("ann"), begin("ann"), begin("bob"))
      try await gym.call("end_session('ann', '\(tablet)')")
      for session in [tablet, foreign, "00000000-0000-4000-8000-000000000000"] {
        await expectSQLState("ZG001") { try await register(session) }
      }
      #expect(try await gym.lines(devices) == [])
      try await register(phone)
      #expect(try await gym.lines(devices) == ["ann"])
      try await gym.call("end_sessions('ann')")
      await expectSQLState("ZG001") { try await register(phone) }
      #expect(try await gym.lines(devices) == [])
      // The token of a provider belongs to no session.
      try await register(nil)
      #expect(try await gym.lines(devices) == ["ann"])
    }
  }

  @Test func `the devices that were registered longest ago go`() async throws {
    try await Gym.open(at: "2024-06-05 12:00") { gym in
      try await gym.users("ann", "bob")
      try await gym.run("update setting set devices_of_user = 2")
      _ = try await register("bob", "'fcm', 'of-bob'", gym)
      for number in 1...3 {
        try await gym.stand(at: "2024-06-05 12:0\(number)")
        _ = try await register("ann", "'fcm', 'token-\(number)'", gym)
      }
      let tokens = "select token::text from push_device order by token"
      #expect(try await gym.lines(tokens) == ["of-bob", "token-2", "token-3"])
      try await gym.stand(at: "2024-06-05 12:04")
      for number in [2, 4] { _ = try await register("ann", "'fcm', 'token-\(number)'", gym) }
      #expect(try await gym.lines(tokens) == ["of-bob", "token-2", "token-4"])
    }
  }

  @Test(
    .sampled(),
    arguments: [
      "'gcm', 'token'", "'fcm', ''", "'fcm', 'a b'", "'fcm', repeat('a', 2049)",
      "'fcm', 'token', 'sandbox'", "'apns', 'abcd'", "'apns', repeat('xy', 32)",
      "'fcm', 'token', 'production', 'en_US'", "'fcm', 'token', secret => repeat('s', 32)",
      "'webhook', 'https://hooks.test/'",
      "'webhook', 'http://hooks.test/', secret => repeat('s', 32)",
      "'webhook', 'https://u:p@hooks.test/', secret => repeat('s', 32)",
      "'webhook', 'https://[::1]/', secret => repeat('s', 32)",
      "'webhook', 'https://hooks.test/', secret => 'short'",
    ])
  func `an invalid registration is refused`(arguments: String) async throws {
    try await Gym.open(at: "2024-06-05 12:00") { gym in
      try await gym.users("ann")
      #expect(try await register("ann", arguments, gym) == "invalidInput")
      #expect(try await gym.lines("select id::text from push_device") == [])
    }
  }

  @Test func `settings replace each other, and invalid settings are refused`() async throws {
    try await Gym.open(at: "2024-06-05 12:00") { gym in
      try await gym.users("ann")
      let read =
        "select concat_ws(' ', muted::text, quiet_from, quiet_until) from push_settings('ann')"
      #expect(try await gym.lines(read) == ["{}"])
      try await gym.call(
        "set_push_settings('ann', '{rank_change,rank_change}', '22:00', '07:30')")
      #expect(try await gym.lines(read) == ["{rank_change} 22:00 07:30"])
      for bad in [
        "'{message}'", "null", "'{}', '22:00'", "'{}', '24:00', '07:00'", "'{}', '07:00', '07:00'",
      ] {
        #expect(try await gym.call("set_push_settings('ann', \(bad))") == "invalidInput")
      }
      #expect(try await gym.lines(read) == ["{rank_change} 22:00 07:30"])
      try await gym.call("set_push_settings('ann', '{}')")
      #expect(try await gym.lines(read) == ["{}"])
    }
  }

  @Test func `quiet hours end at a local time, also after a change to summer time`() async throws {
    let cases = [
      ("2026-03-28 22:30Z", "Europe/Berlin", "22:00", "07:00", "2026-03-29 05:00"),
      ("2026-03-29 03:00Z", "Europe/Berlin", "22:00", "07:00", "2026-03-29 05:00"),
      ("2026-03-29 05:00Z", "Europe/Berlin", "22:00", "07:00", "none"),
      ("2026-03-29 12:00Z", "UTC", "11:00", "13:00", "2026-03-29 13:00"),
      ("2026-03-29 13:00Z", "UTC", "11:00", "13:00", "none"),
    ]
    try await Gym.open(at: "2024-06-05 12:00") { gym in
      for (moment, zone, from, until, expected) in cases {
        let end = try await gym.lines(
          """
          select coalesce(to_char(quiet_end('\(moment)', '\(zone)', '\(from)', '\(until)')
            at time zone 'UTC', 'YYYY-MM-DD HH24:MI'), 'none')
          """)
        #expect(end == [expected], "\(moment)")
      }
    }
  }

  @Test func `the devices and settings of a deleted account go`() async throws {
    try await Gym.open(at: "2024-06-05 12:00") { gym in
      try await gym.users("ann", "bob")
      for user in ["ann", "bob"] {
        _ = try await register(user, "'fcm', 'of-\(user)'", gym)
        try await gym.call("set_push_settings('\(user)', '{}')")
      }
      try await gym.call("delete_account('ann')")
      #expect(try await gym.lines("select user_id::text from push_device") == ["bob"])
      #expect(try await gym.lines("select user_id::text from push_setting") == ["bob"])
    }
  }
}
