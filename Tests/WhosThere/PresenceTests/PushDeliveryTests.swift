#if HTTP
  import BatonPostgres
  import Foundation
  import JobRunner
  import JobTesting
  import PresenceJobs
  import ProductPush
  import TestSupport
  import Testing

  @testable import WhosThere

  /// Tests the push notifications to devices, with webhooks of the tests' own.
  ///
  /// The tests of GymRats' jobs test the senders of the same module.
  @Suite struct PushDeliveryTests {
    private static let template = TestTemplate(
      "template_of_pushes", parts: WhosThere.parts, jobs: jobs(PushSenders([:])))

    private static func jobs(_ senders: PushSenders) -> [RegisteredJob] {
      PresenceJobs.all.map { WhosThere.register($0) } + [
        WhosThere.register(PresenceJobs.messageDelivery, [.ofMessages], senders: senders),
        WhosThere.register(PresenceJobs.arrivalDelivery, [.ofArrivals], senders: senders),
        WhosThere.register(PushWebhook.self, [.ofMessages, .ofArrivals], senders: senders),
      ]
    }

    /// Runs `body` with Ann, Ben and Cid in the group g, each of whom has a webhook.
    private func with(
      _ server: ScriptedServer, _ body: (Places) async throws -> Void
    ) async throws {
      let jobs = Self.jobs(PushSenders(["BATON_PUSH_WEBHOOKS": "private"]))
      try await TestSchema.run(jobs, from: Self.template) { test in
        let places = Places(test: test)
        try await places.accounts("ann", "ben", "cid")
        try await places.found("g", by: "ann", "ben", "cid")
        // The API accepts only https.
        try await places.sql(
          """
          insert into push_device
            (user_id, platform, environment, token, secret, locale, registered_at)
          select id, 'webhook', 'production', '\(server.address)/' || id, repeat('s', 32), 'en',
            domain_now()
          from users
          """)
        try await body(places)
      }
      server.close()
    }

    /// Returns the receiver, the kind and the text of each push.
    private func pushes(_ server: ScriptedServer) -> Set<String> {
      Set(
        server.requests.map {
          "\($0.path) \($0.object["kind"] ?? "") \($0.object["body"] ?? "")"
        })
    }

    @Test(.sampled())
    func `a message and a first arrival reach the devices of the other members`()
      async throws
    {
      let server = try ScriptedServer()
      try await with(server) { places in
        try await places.sql("select set_push_settings('cid', '{message}')")
        try await places.call(ChatTests.send("ann", 1))
        #expect(try await places.test.drain() == 0)
        #expect(pushes(server) == ["/ben message Ann: m1"])
        try await places.sql(
          """
          insert into first_arrival (group_id, local_date, user_id, arrived_at)
          select 'g', (domain_now() at time zone 'UTC')::date, 'ben', domain_now()
          """)
        #expect(try await places.test.drain() == 0)
        #expect(
          pushes(server) == [
            "/ben message Ann: m1", "/ann first_arrival Ben is there.",
            "/cid first_arrival Ben is there.",
          ])
        #expect(server.requests.count == 3)
      }
    }

    @Test func `a deleted or old message and a former member get no push`() async throws {
      let server = try ScriptedServer()
      try await with(server) { places in
        try await places.call(ChatTests.send("ann", 1))
        try await places.call("delete_message('ann', 'g', '\(ChatTests.id(1))')")
        try await places.call("leave_group('cid', 'g')")
        try await places.sql(
          """
          insert into message (partition, created_at, id, group_id, user_id, content)
          select week_partition(at), at, gen_random_uuid(), 'g', 'ann', 'old'
          from (select now() - interval '16 minutes' as at) a
          """)
        #expect(try await places.test.drain() == 0)
        #expect(server.requests.isEmpty)
        #expect(
          try await places.sql("select name, value from product_gauges()") == ["pushes_dropped,1"])
      }
    }

    @Test(.sampled()) func `after a block, neither of the two users gets a push about the other`()
      async throws
    {
      let server = try ScriptedServer()
      try await with(server) { places in
        try await places.call("block_user('ann', 'ben')")
        try await places.call(ChatTests.send("ann", 1))
        try await places.call(ChatTests.send("ben", 2))
        for user in ["ann", "ben"] {
          try await places.sql(
            """
            insert into first_arrival (group_id, local_date, user_id, arrived_at)
            values ('g', (domain_now() at time zone 'UTC')::date, '\(user)', domain_now())
            """)
          #expect(try await places.test.drain() == 0)
          try await places.sql("delete from first_arrival")
        }
        #expect(
          pushes(server) == [
            "/cid message Ann: m1", "/cid message Ben: m2", "/cid first_arrival Ann is there.",
            "/cid first_arrival Ben is there.",
          ])
        #expect(server.requests.count == 4)
      }
    }

    @Test(.sampled()) func `a webhook that answers 410 goes`() async throws {
      let server = try ScriptedServer { _, _ in ScriptedServer.Answer(410) }
      try await with(server) { places in
        try await places.call(ChatTests.send("ann", 1))
        #expect(try await places.test.drain() == 0)
        #expect(try await places.sql("select user_id from push_device") == ["ann"])
      }
    }

    @Test func `a user without a session has no devices`() async throws {
      let server = try ScriptedServer()
      try await with(server) { places in
        let tokens = try await places.sql(
          """
          select (begin_session('ann', 'phone')).token from generate_series(1, 2)
          """)
        let devices = "select user_id from push_device order by user_id"
        // The user still has the other session.
        try await places.sql("select end_session('\(tokens[0])')")
        #expect(try await places.sql(devices) == ["ann", "ben", "cid"])
        try await places.sql("select end_sessions('ann')")
        #expect(try await places.sql(devices) == ["ben", "cid"])
      }
    }
  }
#endif
