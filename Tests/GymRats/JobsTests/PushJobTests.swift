#if HTTP
  import BatonPostgres
  import Foundation
  import JobRunner
  import JobTesting
  import ProductPush
  import Synchronization
  import TestSupport
  import Testing

  @testable import ChallengeJobs
  @testable import GymRats

  /// Tests the jobs that send push notifications, with real HTTP.
  @Suite struct PushJobTests {
    private static let board = "11111111-2222-3333-4444-555555555555"
    private static let phone = String(repeating: "ab", count: 32)

    /// Runs `body` with two members of a group, at 23:00 UTC.
    ///
    /// Ana has a phone with APNs.
    private func with(
      _ server: ScriptedServer, _ body: (JobTest) async throws -> Void
    ) async throws {
      let senders = try PushCredentials(server).senders()
      let jobs = [
        GymRats.register(PushRankChange.self, senders: senders),
        GymRats.register(PushNotification.self, senders: senders),
        GymRats.register(PushWebhook.self, senders: senders),
      ]
      try await TestSchema.run(jobs) { test in
        try await test.setClock(to: "2024-05-15 23:00Z")
        try await test.sql("insert into groups (id, name) values ('g', 'Morning Runners')")
        try await test.sql(
          "insert into users (id, display_name) values ('a', 'Ana'), ('b', 'Ben')")
        try await test.sql(
          """
          insert into member (group_id, user_id, joined_at)
          select 'g', id, '2024-05-01' from users
          """)
        try await test.sql("select register_push_device('a', 'apns', '\(Self.phone)')")
        try await body(test)
      }
      server.close()
    }

    /// Notifies Ana of a new member.
    private func announce(_ test: JobTest, _ key: String = "k") async throws {
      try await test.sql("select create_notification('\(key)', 'a', 'g', 'Cid joined \(key).')")
    }

    /// Notifies Ana that she is on place 2 of the board.
    private func notifyOfRank(_ test: JobTest) async throws {
      try await test.sql(
        """
        insert into notification (partition, created_at, user_id, group_id, type, challenge_id,
          content, changed_at)
        select day_partition(at), at, 'a', 'g', 'rank_change', '\(Self.board)',
          '{"to": 2, "message": "You are #2."}', at
        from (select domain_now() as at) n
        """)
    }

    private func texts(_ server: ScriptedServer) -> [String] {
      server.requests.compactMap {
        let aps = $0.object["aps"] as? [String: Any]
        return (aps?["alert"] as? [String: String])?["body"]
      }
    }

    @Test(.sampled()) func `each device gets each notification once`() async throws {
      let server = try ScriptedServer { request, _ in
        request.path == "/token"
          ? ScriptedServer.Answer(200, #"{"access_token":"t","expires_in":60}"#)
          : ScriptedServer.Answer(200)
      }
      try await with(server) { test in
        try await test.sql("select register_push_device('a', 'fcm', 'android')")
        try await test.sql("select register_push_device('b', 'fcm', 'of-ben')")
        try await announce(test)
        #expect(try await test.drain() == 0)
        #expect(texts(server) == ["Cid joined k."])
        let messages = server.requests.compactMap { $0.object["message"] as? [String: Any] }
        #expect(messages.compactMap { $0["token"] as? String } == ["android"])
        // A notification that is marked as read before its push is not sent.
        try await announce(test, "read")
        try await test.sql("update notification set is_read = true")
        #expect(try await test.drain() == 0)
        #expect(texts(server).count == 1)
      }
    }

    @Test(.sampled()) func `several rank changes of a board are one push with the newest rank`()
      async throws
    {
      let server = try ScriptedServer()
      try await with(server) { test in
        try await notifyOfRank(test)
        for rank in 3...4 {
          try await test.sql(
            """
            update notification
            set content = '{"to": \(rank), "message": "You are #\(rank)."}',
              changed_at = domain_now()
            """)
        }
        // A push waits a minute for further changes.
        #expect(try await test.events().count == 3)
        #expect(try await test.drain() == 0)
        #expect(texts(server) == ["You are #4."])
        let collapse = server.requests.first?.fields["apns-collapse-id"]
        #expect(collapse == "rank_change/\(Self.board)")
        // A change of the content that is not a change of the rank sends nothing.
        try await test.sql("update notification set content = content || '{\"passed_by\": []}'")
        #expect(try await test.events() == [])
        // A notification that is taken back is not sent.
        try await test.sql("update notification set content = content || '{\"to\": 5}'")
        try await test.sql("delete from notification")
        #expect(try await test.drain() == 0)
        #expect(server.requests.count == 1)
      }
    }

    /// The notification was written before the user muted or left the group.
    @Test(.sampled(), arguments: ["is_muted = true", "left_at = domain_now()"])
    func `a push about a muted or former group is not sent`(change: String) async throws {
      let server = try ScriptedServer()
      try await with(server) { test in
        try await notifyOfRank(test)
        try await announce(test)
        try await test.sql("update member set \(change) where user_id = 'a'")
        #expect(try await test.drain() == 0)
        #expect(texts(server) == (change.hasPrefix("is_muted") ? ["Cid joined k."] : []))
      }
    }

    @Test(.sampled()) func `an ended week reaches the phone with the ranks of the member`()
      async throws
    {
      let server = try ScriptedServer()
      try await with(server) { test in
        try await test.sql(
          """
          insert into closed_week (group_id, week_start, is_told, closed_at, content)
          values ('g', '2024-05-06', true, domain_now(), '{"label": "Week 19"}')
          """)
        try await test.sql(
          """
          insert into notification (partition, created_at, user_id, group_id, type, content,
            changed_at, week_start, scores)
          select day_partition(at), at, 'a', 'g', 'week_ended', '{}', at, '2024-05-06',
            array[1, 3, null, null, null, null]
          from (select domain_now() as at) n
          """)
        #expect(try await test.drain() == 0)
        #expect(texts(server) == ["Week 19 has ended: you came #1 in check-ins."])
        let body = try #require(server.requests.first).object
        #expect(body["kind"] as? String == "week_ended")
        #expect((body["data"] as? [String: String])?["weekStart"] == "2024-05-06")
        let aps = body["aps"] as? [String: Any]
        #expect(aps?["badge"] as? Int == 1 && aps?["thread-id"] as? String == "g")
      }
    }

    @Test(.sampled()) func `a device that the service does not know goes`() async throws {
      let server = try ScriptedServer { _, number in
        // In milliseconds: before, and after, the registration of the device.
        let time = number == 0 ? 1_500_000_000_000 : 1_800_000_000_000
        return ScriptedServer.Answer(410, #"{"reason":"Unregistered","timestamp":\#(time)}"#)
      }
      try await with(server) { test in
        for expected in [1, 0] {
          try await announce(test, "k\(expected)")
          #expect(try await test.drain() == 0)
          #expect(try await test.sql("select id from push_device").count == expected)
        }
      }
    }

    /// The app corrects the environment, or registers at its start, while the request is sent.
    @Test(
      .sampled(),
      arguments: [
        "select register_push_device('a', 'apns', '\(phone)', 'sandbox')",
        "update push_device set registered_at = registered_at + interval '1 microsecond'",
      ])
    func `a device that is registered again while the service refuses it stays`(again: String)
      async throws
    {
      let isRegistered = Mutex(false)
      let server = try ScriptedServer { _, _ in
        while !isRegistered.withLock({ $0 }) { usleep(1_000) }
        return ScriptedServer.Answer(400, #"{"reason":"BadDeviceToken"}"#)
      }
      try await with(server) { test in
        try await announce(test)
        let connection = try await test.connect()
        async let failed = test.drain()
        try await eventually("the request") { server.requests.count == 1 }
        _ = try await JobTest.sql(again, on: connection, in: test.schema)
        isRegistered.withLock { $0 = true }
        #expect(try await failed == 0)
        await connection.close()
        #expect(try await test.sql("select user_id from push_device") == ["a"])
      }
    }

    @Test func `a token that moves to another user gets no push of the first user`() async throws {
      let server = try ScriptedServer()
      try await with(server) { test in
        try await announce(test)
        try await test.sql("select register_push_device('b', 'apns', '\(Self.phone)')")
        #expect(try await test.drain() == 0)
        #expect(server.requests.isEmpty)
        #expect(try await test.sql("select user_id from push_device") == ["b"])
      }
    }

    @Test(.sampled()) func `muted kinds are not sent, and a push is sent after the quiet hours`()
      async throws
    {
      let server = try ScriptedServer()
      try await with(server) { test in
        try await test.sql("select set_push_settings('a', '{new_member}')")
        try await announce(test, "muted")
        #expect(try await test.drain() == 0)
        try await test.sql("update notification set is_read = true")
        try await test.sql("select set_push_settings('a', '{week_ended}', '22:00', '07:00')")
        try await announce(test, "quiet")
        // During the quiet hours, the job postpones its run, which a drain repeats without a pause.
        await #expect(throws: (any Error).self) { try await test.drain(mostAttempts: 3) }
        #expect(texts(server) == [])
        try await test.setClock(to: "2024-05-16 07:00Z")
        #expect(try await test.drain() == 0)
        #expect(texts(server) == ["Cid joined quiet."])
        #expect(try await dropped(test) == "0")
      }
    }

    @Test(.sampled()) func `a push that would be too old is dropped and counted`() async throws {
      let server = try ScriptedServer()
      try await with(server) { test in
        try await announce(test, "old")
        try await test.setClock(to: "2024-05-16 11:00Z")
        #expect(try await test.drain() == 0)
        #expect(try await dropped(test) == "1")
        // The push would expire before the quiet hours end.
        try await test.sql("update setting set push_age = '1 hour'")
        try await test.sql("select set_push_settings('a', '{}', '11:00', '13:00')")
        try await announce(test, "quiet")
        #expect(try await test.drain() == 0)
        #expect(try await dropped(test) == "2")
        #expect(server.requests.isEmpty)
      }
    }

    private func dropped(_ test: JobTest) async throws -> String {
      try await test.sql("select value from product_gauges() where name = 'pushes_dropped'")
        .joined()
    }

    @Test(.sampled()) func `429 postpones the run, and a permanent error ends it`() async throws {
      let server = try ScriptedServer { _, number in
        number == 0
          ? ScriptedServer.Answer(429, fields: ["retry-after": "600"])
          : ScriptedServer.Answer(400, #"{"reason":"PayloadEmpty"}"#)
      }
      try await with(server) { test in
        try await announce(test)
        // A drain does not wait for the ten minutes.
        #expect(try await test.drain() == 1)
        #expect(server.requests.count == 2)
      }
    }

    /// Replaces Ana's phone with a webhook without TLS, which the API refuses.
    private func registerWebhook(_ server: ScriptedServer, _ test: JobTest) async throws {
      try await test.sql(
        """
        update push_device set platform = 'webhook', token = '\(server.address)/hook',
          secret = repeat('s', 32)
        """)
    }

    @Test(.sampled())
    func `a webhook that never accepts a push is tried by its own job, and makes no dead run`()
      async throws
    {
      let server = try ScriptedServer { _, _ in ScriptedServer.Answer(503) }
      try await with(server) { test in
        try await registerWebhook(server, test)
        try await announce(test)
        #expect(try await test.drain() == 0)
        #expect(try await test.sql("select distinct job from failed_attempt") == ["push-webhook"])
        // All attempts have the same id, so the receiver can recognize a repeated push.
        #expect(Set(server.requests.compactMap { $0.fields["idempotency-key"] }).count == 1)
        #expect(server.requests.count == PushWebhook.attempts)
        #expect(try await dropped(test) == "1")
      }
    }

    @Test(.sampled(), arguments: [400, 401, 403, 404, 413, 422])
    func `a webhook that refuses a push is not asked again, and the push is counted`(status: Int)
      async throws
    {
      let server = try ScriptedServer { _, _ in ScriptedServer.Answer(status) }
      try await with(server) { test in
        try await registerWebhook(server, test)
        try await announce(test)
        #expect(try await test.drain() == 0)
        #expect(server.requests.count == 1)
        #expect(try await dropped(test) == "1")
        #expect(try await test.sql("select id from push_device").count == 1)
      }
    }

    @Test func `the rate of the setting replaces the declared rate`() async throws {
      let server = try ScriptedServer()
      try await with(server) { test in
        let limits = "select distinct start_interval, burst from job_limit"
        #expect(try await test.sql(limits) == ["00:00:00.05,20"])
        try await test.sql("update setting set pushes_a_second = 500")
        #expect(try await test.sql(limits) == ["00:00:00.002,500"])
      }
    }
  }
#endif
