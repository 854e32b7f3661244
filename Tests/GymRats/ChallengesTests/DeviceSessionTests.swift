import BatonPostgres
import TestSupport
import Testing

/// Tests the sessions of devices: refresh, replaced tokens, the end of sessions, and concurrent
/// calls.
@Suite(.timeLimit(.minutes(5))) struct DeviceSessionTests {
  /// Starts a session, and returns its refresh token.
  private func begin(_ user: String, _ gym: Gym) async throws -> String {
    try await gym.lines("select token from begin_session('\(user)', 'Phone')").joined()
  }

  /// Returns the next token, or `none` if the session has ended.
  private func refresh(
    _ token: String, _ gym: Gym, on other: Connection? = nil
  ) async throws -> String {
    try await gym.lines(
      "select next_token from refresh_session('\(token)')", on: other
    ).first ?? "none"
  }

  @Test func `a refresh replaces the token and moves the expiry`() async throws {
    try await Gym.open(at: "2024-06-05 12:00") { gym in
      try await gym.users("ann")
      let first = try await begin("ann", gym)
      #expect(first.wholeMatch(of: /[0-9a-f]{96}/) != nil)
      try await gym.stand(at: "2024-06-06 12:00")
      let second = try await refresh(first, gym)
      #expect(second != first && second.prefix(32) == first.prefix(32))
      #expect(
        try await gym.lines(
          "select to_char(expires_at, 'YYYY-MM-DD HH24:MI') from session") == ["2024-09-04 12:00"])
      #expect(
        try await gym.lines(
          "select session_id::text || ' ' || user_id from refresh_session('\(second)')")
          == gym.lines("select id::text || ' ann' from session"))
      // No column contains a secret, and no hash is a valid token.
      for token in [first, second] {
        #expect(
          try await gym.lines(
            """
            select count(*)::text from session s
            where position('\(token.suffix(64))' in s::text) > 0
            """) == ["0"])
      }
      let stored = try await gym.lines(
        "select replace(id::text, '-', '') || encode(token_hash, 'hex') from session"
      ).joined()
      #expect(try await refresh(stored, gym) == "none")
    }
  }

  @Test func `a replaced token works for one minute, and then ends the session`()
    async throws
  {
    try await Gym.open(at: "2024-06-05 12:00") { gym in
      try await gym.users("ann")
      let first = try await begin("ann", gym)
      let second = try await refresh(first, gym)
      try await gym.stand(at: "2024-06-05 12:01")
      #expect(try await refresh(first, gym) == second)
      try await gym.stand(at: "2024-06-05 12:01:00.000001")
      #expect(try await refresh(first, gym) == "none")
      #expect(try await refresh(second, gym) == "none")
      #expect(
        try await gym.lines("select (ended_at = domain_now())::text from session") == ["true"])
      // A token that was replaced twice ends the session within the minute too.
      let other = try await begin("ann", gym)
      let last = try await refresh(try await refresh(other, gym), gym)
      #expect(try await refresh(other, gym) == "none")
      #expect(try await refresh(last, gym) == "none")
    }
  }

  @Test func `two refreshes at once with the same token return the same token`() async throws {
    try await Gym.open(at: "2024-06-05 12:00") { gym in
      try await gym.users("ann")
      let token = try await begin("ann", gym)
      let other = try await gym.test.connect()
      async let first = refresh(token, gym)
      async let second = refresh(token, gym, on: other)
      let answers = Set(try await [first, second])
      #expect(answers.count == 1 && !answers.contains("none"))
      #expect(try await refresh(answers.first ?? "", gym) != "none")
      await other.close()
    }
  }

  @Test func `a session ends alone, with all others, with its time, and with the account`()
    async throws
  {
    try await Gym.open(at: "2024-06-05 12:00") { gym in
      try await gym.users("ann", "bob")
      let (first, second) = (try await begin("ann", gym), try await begin("ann", gym))
      let foreign = try await begin("bob", gym)
      func end(_ token: String, as actor: String) async throws {
        #expect(try await gym.call("end_session('\(actor)', '\(token.prefix(32))')") == "")
      }
      try await end(first, as: "bob")
      #expect(try await refresh(first, gym) != "none")
      for _ in 1...2 { try await end(second, as: "ann") }
      #expect(try await refresh(second, gym) == "none")
      #expect(try await gym.call("end_sessions('ann')") == "1")
      #expect(try await gym.call("end_sessions('ann')") == "0")
      #expect(try await gym.call("end_sessions('eve')").hasPrefix("notAuthenticated"))
      for token in ["", "none", String(repeating: "0", count: 96), first.uppercased()] {
        #expect(try await refresh(token, gym) == "none")
      }
      #expect(
        try await gym.lines("select count(*)::text from refresh_session(null)") == ["0"])
      try await gym.stand(at: "2024-09-03 12:00")
      #expect(try await refresh(foreign, gym) == "none")
      try await gym.stand(at: "2024-09-03 11:59:59.999999")
      let last = try await refresh(foreign, gym)
      #expect(last != "none")
      try await gym.call("delete_account('bob')")
      #expect(try await refresh(last, gym) == "none")
      #expect(try await gym.lines("select count(*)::text from session") == ["2"])
    }
  }

  @Test(arguments: [true, false])
  func `a session that begins while the account is deleted does not outlive the account`(
    isFirst: Bool
  ) async throws {
    try await Gym.open(at: "2024-06-05 12:00") { gym in
      try await gym.users("ann")
      let (begin, delete) = ("(begin_session('ann', 'Phone')).expires_at", "delete_account('ann')")
      let (first, second) = isFirst ? (begin, delete) : (delete, begin)
      try await gym.withConnection { other in
        let open = try await OpenTransaction(gym.connection, in: gym)
        try await open.run(.lines("select (\(first))::text"))
        async let waiting = gym.call(second, on: other)
        try await gym.waitUntilBlocked()
        try await open.commit()
        let answer = try await waiting
        #expect(isFirst ? answer == "" : answer.hasPrefix("notAuthenticated"), "\(answer)")
      }
      #expect(try await gym.lines("select count(*)::text from session") == ["0"])
    }
  }

  @Test func `names of devices and the number of sessions a day have limits`() async throws {
    try await Gym.open(at: "2024-06-05 12:00") { gym in
      try await gym.users("ann")
      try await gym.run("update setting set sessions_a_day = 2")
      func begin(_ device: String) async throws -> String {
        try await gym.call("(begin_session('ann', \(device))).expires_at").prefix { $0 != " " }
          .description
      }
      for device in ["''", "null", "repeat('é', 101)"] {
        #expect(try await begin(device) == "invalidInput")
      }
      #expect(try await begin("repeat('é', 100)") == "2024-09-03")
      #expect(try await begin("'Phone'") == "2024-09-03")
      #expect(try await begin("'Phone'") == "limitReached")
      try await gym.stand(at: "2024-06-06 12:00")
      #expect(try await begin("'Phone'") == "2024-09-04")
    }
  }
}
