import BatonPostgres
import JobTesting
import TestSupport
import Testing

/// Tests that only anonymous users without a session and without any activity are deleted.
@Suite(.timeLimit(.minutes(5))) struct IdleUserTests {
  private func users(_ places: Places) async throws -> [String] {
    try await places.sql("select id from users order by id")
  }

  private func with(_ body: (Places) async throws -> Void) async throws {
    try await Places.with(at: "2024-01-01 12:00") { places in
      try await places.accounts("boss")
      try await places.devices("dev")
      try await body(places)
    }
  }

  @Test(.sampled())
  func `a device's user goes 90 days after the last session, and what is theirs with them`()
    async throws
  {
    try await with { places in
      try await places.found("g", by: "boss", "dev")
      try await places.call("begin_session('dev', 'Phone')")
      try await places.call(Places.checkIn("dev", 1, stay: 60))
      try await places.call("send_message('dev', 'g', gen_random_uuid(), 'Hello')")
      // A session lasts 90 days.
      try await places.stand(at: "2024-06-29 12:00")
      try await places.retain()
      #expect(try await users(places) == ["boss", "dev"])
      try await places.stand(at: "2024-06-29 12:00:00.000001")
      #expect(try await places.expired().contains("users 1"))
      try await places.retain()
      #expect(try await users(places) == ["boss"])
      #expect(try await places.members() == ["boss admin"])
      #expect(try await places.sql("select count(*) from identity") == ["1"])
      #expect(try await places.broken() == [])
      // The same device signs in again as a new user.
      let secret = "encode(sha256('dev'), 'hex')"
      #expect(try await places.call("sign_in('anonymous', \(secret))", "id <> 'dev'") == "t")
    }
  }

  @Test(.sampled()) func `a group whose last member goes ends`() async throws {
    try await with { places in
      try await places.found("g", by: "dev")
      try await places.stand(at: "2024-06-01 12:00")
      try await places.retain()
      #expect(try await users(places) == ["boss"])
      #expect(try await places.sql("select is_active, created_by from groups") == ["f,"])
    }
  }

  @Test(
    .sampled(),
    arguments: [
      "begin_session('dev', 'Phone')",
      "check_in('dev', gen_random_uuid(), 'g', 'manual', 'phone', now())",
      "send_message('dev', 'g', gen_random_uuid(), 'Hello')", "join_public_group('dev', 'h')",
    ])
  func `who did something stays for 90 days more`(call: String) async throws {
    try await with { places in
      try await places.found("g", by: "boss", "dev")
      try await places.found("h", by: "boss")
      try await places.sql(
        "update setting set session_age = '1 minute', kept_age = '0', message_age = '1 day'")
      try await places.stand(at: "2024-03-01 12:00")
      #expect(try await places.call(call) != "notAuthenticated")
      for clock in ["2024-03-20 12:00", "2024-04-20 12:00", "2024-05-30 12:00"] {
        try await places.stand(at: clock)
        try await places.retain()
        #expect(try await users(places) == ["boss", "dev"], "\(clock)")
      }
      try await places.stand(at: "2024-05-30 12:02")
      try await places.retain()
      #expect(try await users(places) == ["boss"])
    }
  }

  @Test(.sampled()) func `accounts stay, and of who was merged the row goes`() async throws {
    try await with { places in
      try await places.devices("old", "own")
      try await places.stand(at: "2024-03-01 12:00")
      #expect(try await places.call("link_account('old', 'google', 'boss')", "id") == "boss")
      #expect(try await places.call("link_account('own', 'google', 'own')", "id") == "own")
      try await places.stand(at: "2024-05-30 12:00")
      try await places.retain()
      #expect(try await users(places) == ["boss", "old", "own"])
      #expect(try await places.call("link_account('old', 'google', 'boss')", "id") == "boss")
      try await places.stand(at: "2034-05-30 12:00")
      try await places.retain()
      #expect(try await users(places) == ["boss", "own"])
    }
  }

  @Test(.enabled(if: TestSize.isFull, "a thousand idle users: make test-all"))
  func `more idle users than one list has room for go in one night`() async throws {
    try await with { places in
      try await places.sql(
        """
        insert into users (id, display_name, is_anonymous)
        select 'idle-' || n, 'Visitor', true from generate_series(1, 1203) n
        """)
      // Some of these users are active.
      try await places.sql(
        """
        insert into session (token_hash, user_id, device, created_at, expires_at)
        select sha256(id::bytea), id, 'Phone', domain_now(), domain_now() + interval '150 days'
        from users where id like 'idle-%7'
        """)
      try await places.stand(at: "2024-06-01 12:00")
      try await places.retain()
      #expect(
        try await places.sql(
          "select count(*), bool_and(id like '%7') from users where is_anonymous")
          == ["120,t"])
      // The active users are not read again before the next check is due.
      #expect(
        try await places.sql(
          "select count(*) from users where active_until > domain_now() - interval '10 days'")
          == ["120"])
    }
  }

  @Test(.sampled()) func `who comes back at this moment stays`() async throws {
    try await with { places in
      try await places.found("g", by: "boss", "dev")
      for (number, call) in [
        "begin_session('dev', 'Phone')", Places.checkIn("dev", 1),
        "send_message('dev', 'g', gen_random_uuid(), 'Hello')",
      ].enumerated() {
        try await places.stand(at: "202\(5 + number)-01-01 12:00")
        #expect(try await places.sql("select user_id from idle_users(10)") == ["dev"])
        #expect(try await places.race(call, "forget_user('dev')") == "f", "\(call)")
        try await places.sql("delete from session")
      }
      try await places.stand(at: "2029-01-01 12:00")
      // In the opposite order, the call finds no user.
      let late = try await places.race("forget_user('dev')", "begin_session('dev', 'Phone')")
      #expect(["notAuthenticated", "40001"].contains(late))
      #expect(try await users(places) == ["boss"])
      #expect(try await places.broken() == [])
    }
  }
}
