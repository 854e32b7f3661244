import TestSupport
import Testing

/// Tests tokens: on which devices a user is signed in, and for how long.
@Suite(.timeLimit(.minutes(5))) struct DeviceTests {
  private func token(_ places: Places, _ user: String) async throws -> String {
    try await places.call("begin_session('\(user)', 'phone')", "token")
  }

  private func user(_ places: Places, _ token: String) async throws -> String {
    try await places.call("user_of_session('\(token)') u", "u")
  }

  @Test func `the name of a device has 100 characters, however many bytes they need`() async throws
  {
    try await Places.with(at: "2024-06-05 12:00") { places in
      try await places.accounts("ann")
      let name = String(repeating: "é", count: 100)
      _ = try await places.call("begin_session('ann', '\(name)')", "token")
      #expect(try await places.sql("select char_length(device) from session") == ["100"])
      #expect(try await places.call("begin_session('ann', '\(name)é')", "token") == "invalidInput")
    }
  }

  @Test func `a token is its user's until it is over, is ended, or all of them are`() async throws {
    try await Places.with(at: "2024-06-05 12:00") { places in
      try await places.accounts("ann", "bob")
      let first = try await token(places, "ann")
      let second = try await token(places, "ann")
      let foreign = try await token(places, "bob")
      #expect(first.wholeMatch(of: /[0-9a-f]{64}/) != nil && first != second)
      // The value in the database is not a valid token.
      #expect(
        try await places.sql(
          """
          select count(*) from session
          where token_hash = sha256('\(first)') and expires_at = '2024-09-03 12:00Z'
          """) == ["1"])
      #expect(
        try await places.sql(
          "select count(*) from session s where position('\(first)' in s::text) > 0") == ["0"])
      for (token, owner) in [(first, "ann"), (second, "ann"), (foreign, "bob"), ("", "")] {
        #expect(try await user(places, token) == owner)
      }
      #expect(try await places.call("user_of_session(null) u", "u is null") == "t")

      for _ in 0..<2 { #expect(try await places.call("end_session('\(first)')") == "") }
      #expect(try await user(places, first) == "")
      #expect(try await user(places, second) == "ann")
      #expect(try await places.call("end_session('none')") == "")

      let third = try await token(places, "ann")
      #expect(try await places.call("end_sessions('ann')") == "2")
      #expect(try await places.call("end_sessions('ann')") == "0")
      #expect(try await user(places, third) == "")
      #expect(try await user(places, foreign) == "bob")

      try await places.stand(at: "2024-09-03 11:59:59.999999")
      #expect(try await user(places, foreign) == "bob")
      try await places.stand(at: "2024-09-03 12:00")
      #expect(try await user(places, foreign) == "")
      // Signing out does not depend on a clock that was set back.
      try await places.stand(at: "2024-06-05 11:00")
      #expect(try await places.call("end_session('\(foreign)')") == "")
    }
  }

  @Test func `a session that has ended, or ends at this moment, registers no device for pushes`()
    async throws
  {
    try await Places.with(at: "2024-06-05 12:00") { places in
      try await places.accounts("ann", "bob")
      func register(_ token: String) -> String {
        "(select register_push_device('ann', 'fcm', 'x') from hold_session('ann', '\(token)')) d"
      }
      let devices = "select user_id from push_device"
      let first = try await token(places, "ann")
      let foreign = try await token(places, "bob")
      for token in [foreign, "none"] {
        #expect(try await places.call(register(token)) == "sessionExpired")
      }
      #expect(
        try await places.race("end_sessions('ann')", register(first)) == "sessionExpired")
      #expect(try await places.sql(devices) == [])
      let second = try await token(places, "ann")
      #expect(try await places.race(register(second), "end_sessions('ann')") == "1")
      #expect(try await places.sql(devices) == [])
      let third = try await token(places, "ann")
      try await places.call(register(third))
      #expect(try await places.sql(devices) == ["ann"])
    }
  }

  @Test func `who is merged or deleted at this moment gets no token`() async throws {
    try await Places.with { places in
      try await places.devices("dev")
      try await places.accounts("ann", "bob")
      let begin = "begin_session('$', 'phone')"
      #expect(
        try await places.race(
          "link_account('dev', 'google', 'ann')", begin.replacing("$", with: "dev")) == "40001")
      #expect(
        try await places.race("delete_account('bob')", begin.replacing("$", with: "bob"))
          == "40001")
      for gone in ["dev", "bob"] {
        #expect(
          try await places.state(begin.replacing("$", with: gone)) == "notAuthenticated")
      }
      #expect(try await places.sql("select count(*) from session") == ["0"])
      // In the opposite order, the token is ended together with the others.
      try await places.devices("late")
      #expect(
        try await places.race(
          begin.replacing("$", with: "late"), "link_account('late', 'google', 'ann')"
        ).hasPrefix("ann,"))
      #expect(try await places.sql("select count(*) from session where ended_at is null") == ["0"])
      #expect(try await places.broken() == [])
    }
  }
}
