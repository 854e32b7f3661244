import BatonPostgres
import Foundation
import JobRunner
import JobTesting
import Presence
import PresenceJobs
import PresenceServer
import TestSupport
import Testing

@testable import WhosThere

/// Tests the notifications of messages and first arrivals, with real HTTP.
@Suite(.timeLimit(.minutes(5))) struct PushTests {
  private static let template = TestTemplate("template_of_news", parts: WhosThere.parts)
  private static let templateWithJobs = TestTemplate(
    "template_of_news_jobs", parts: WhosThere.parts,
    jobs: PresenceJobs.effects.map { WhosThere.register($0) })

  /// Calls the body with a database whose effects send requests to a server.
  ///
  /// Ann, Ben and Cid are in the group g.
  ///
  /// - Parameter jobs: false if a program brings its own jobs, with their triggers.
  private func with(
    _ receiver: PushReceiver, jobs: Bool = true, _ body: (Places) async throws -> Void
  ) async throws {
    let push = HTTPPush(address: receiver.address)
    let effects = PresenceJobs.effects.map { WhosThere.register($0, push: push) }
    try await TestSchema.run(
      jobs ? effects : [], from: jobs ? Self.templateWithJobs : Self.template
    ) { test in
      let places = Places(test: test)
      try await places.accounts("ann", "ben", "cid")
      try await places.found("g", by: "ann", "ben", "cid")
      try await body(places)
    }
    receiver.close()
  }

  private func news(_ receiver: PushReceiver) throws -> [News] {
    try receiver.requests.map { try JSONDecoder().decode(News.self, from: Data($0.body.utf8)) }
  }

  @Test(.sampled())
  func `each message is told once to the others, and none that was taken back`() async throws {
    let receiver = try PushReceiver()
    try await with(receiver) { places in
      for number in 1...3 { try await places.call(ChatTests.send("ann", number)) }
      try await places.call("delete_message('ann', 'g', '\(ChatTests.id(2))')")
      // The same id means the same message.
      try await places.call(ChatTests.send("ann", 1))
      #expect(try await places.test.drain() == 0)
      let told = try news(receiver)
      #expect(Set(told.map(\.text)) == ["m1", "m3"])
      #expect(receiver.keys.count == 2 && receiver.keys.values.allSatisfy { $0 == 1 })
      #expect(
        told.first { $0.text == "m1" }
          == News(
            kind: .message, groupId: "g", groupName: "Group", userId: "ann", userName: "Ann",
            text: "m1", recipients: ["ben", "cid"]))

      // The author may be deleted. If the last reader is deleted, no notification is sent.
      try await places.call(ChatTests.send("ann", 4))
      for user in ["ann", "cid"] { try await places.call("delete_account('\(user)')") }
      #expect(try await places.test.drain() == 0)
      #expect(
        try news(receiver).last
          == News(
            kind: .message, groupId: "g", groupName: "Group", userId: nil, userName: nil,
            text: "m4", recipients: ["ben"]))
      try await places.call(ChatTests.send("ben", 5))
      #expect(try await places.test.drain() == 0)
      #expect(receiver.requests.count == 3)
      let bad = try await places.sql("select enqueue('push-message', 'no id')")
      #expect(try await places.test.drain() == 1, "\(bad)")
    }
  }

  @Test func `each push arrives whole if the other side closes its connections`() async throws {
    let receiver = try PushReceiver()
    let push = HTTPPush(address: receiver.address)
    let news = (1...5).map {
      News(
        kind: .message, groupId: "g", groupName: "Group", userId: nil, userName: nil,
        text: "m\($0)", recipients: ["ben"])
    }
    for one in news { try await push.send(one, idempotencyKey: one.text ?? "") }
    #expect(try self.news(receiver) == news)
    #expect(receiver.keys.values.allSatisfy { $0 == 1 })
    receiver.close()
  }

  /// URLSession sends the redirected request without the notification.
  @Test(arguments: [301, 302, 303, 307, 308])
  func `a redirected push counts as failed`(status: Int) async throws {
    let page = try PushReceiver { _ in 200 }
    let receiver = try PushReceiver(location: page.address) { _ in status }
    let push = HTTPPush(address: receiver.address)
    let news = News(
      kind: .message, groupId: "g", groupName: "Group", userId: nil, userName: nil, text: "m",
      recipients: ["ben"])
    await #expect(throws: (any Error).self) { try await push.send(news, idempotencyKey: "k") }
    #expect(receiver.requests.count == 1)
    page.close()
    receiver.close()
  }

  @Test(.sampled()) func `a first arrival is told on its date, and of who is in the group`()
    async throws
  {
    let receiver = try PushReceiver()
    try await with(receiver) { places in
      try await places.call("leave_group('cid', 'g')")
      for (user, group, day) in [("ben", "g", 0), ("ann", "g", -1), ("cid", "h", 0)] {
        if group == "h" { try await places.found("h", by: "ann", "ben") }
        try await places.sql(
          """
          insert into first_arrival (group_id, local_date, user_id, arrived_at)
          select '\(group)', (domain_now() at time zone 'UTC')::date + \(day), '\(user)', domain_now()
          """)
      }
      #expect(try await places.test.drain() == 0)
      #expect(
        try news(receiver) == [
          News(
            kind: .firstArrival, groupId: "g", groupName: "Group", userId: "ben", userName: "Ben",
            recipients: ["ann"])
        ])
    }
  }

  @Test(.sampled()) func `neither of two users gets a push about the other after a block`()
    async throws
  {
    let receiver = try PushReceiver()
    try await with(receiver) { places in
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
      let told = try news(receiver).map { "\($0.kind) \($0.userId ?? "") \($0.recipients)" }
      #expect(
        Set(told) == [
          #"message ann ["cid"]"#, #"message ben ["cid"]"#,
          #"firstArrival ann ["cid"]"#, #"firstArrival ben ["cid"]"#,
        ])
    }
  }

  @Test func `a push that is too old is dropped and counted, and a newer one is sent`() async throws
  {
    let receiver = try PushReceiver()
    try await with(receiver) { places in
      try await places.sql("update setting set push_age = '10 minutes'")
      for age in [9, 11, 60] {
        try await places.sql(
          """
          insert into message (partition, created_at, id, group_id, user_id, content)
          select week_partition(at), at, gen_random_uuid(), 'g', 'ann', 'm\(age)'
          from (select now() - interval '\(age) minutes' as at) a
          """)
      }
      try await places.sql(
        """
        insert into first_arrival (group_id, local_date, user_id, arrived_at)
        values ('g', (now() at time zone 'UTC')::date, 'ben', now() - interval '11 minutes')
        """)
      #expect(try await places.test.drain() == 0)
      #expect(try news(receiver).map(\.text) == ["m9"])
      #expect(
        try await places.sql("select name, value from product_gauges()") == ["pushes_dropped,3"])
    }
  }

  @Test(.sampled())
  func `the rate of the setting replaces the declared one, also where a program starts`()
    async throws
  {
    let receiver = try PushReceiver()
    try await with(receiver, jobs: false) { places in
      let program = BatonProgram(
        executable: try BatonProgram.path(of: "whosthere"),
        environment: [
          "DATABASE_URL": places.test.configuration.address,
          "BATON_SCHEMA": places.test.schema.name, HTTPPush.variable: receiver.address,
        ])
      let limits = "select distinct start_interval, burst from job_limit"
      try await program.succeed("migrate")
      #expect(try await places.sql(limits) == ["00:00:00.05,20"])
      try await places.sql("update setting set pushes_a_second = 500")
      #expect(try await places.sql(limits) == ["00:00:00.002,500"])
      try await places.call(ChatTests.send("ann", 1))
      try await program.succeed("worker", "--until-idle")
      #expect(receiver.keys.count == 1)
      #expect(try await places.sql(limits) == ["00:00:00.002,500"])
      for bad in [0, 1_001] {
        await #expect(throws: PostgresError.self) {
          try await places.sql("update setting set pushes_a_second = \(bad)")
        }
      }
    }
  }

  @Test(.sampled()) func `what the other side refuses is told again under the same key`()
    async throws
  {
    let receiver = try PushReceiver { $0 == 0 ? 500 : 200 }
    try await with(receiver) { places in
      try await places.call(ChatTests.send("ann", 1))
      #expect(try await places.test.drain() == 0)
      // Its next attempt is a second later, and the test does not wait for it.
      let ready = try await places.sql("select id, state, attempt from run")
      if ready.count == 1 {
        try await places.sql("update run set due = now() - interval '1 s'")
        #expect(try await places.test.drain() == 0)
      }
      #expect(receiver.keys.values.map(\.self) == [2])
      #expect(try await places.sql("select id from run") == [])
    }
  }

  @Test(.sampled())
  func `a worker that is killed leaves what another tells under the same key, in the rate`()
    async throws
  {
    let receiver = try PushReceiver { $0 == 0 ? nil : 204 }
    try await with(receiver, jobs: false) { places in
      let program = BatonProgram(
        executable: try BatonProgram.path(of: "whosthere"),
        environment: [
          "DATABASE_URL": places.test.configuration.address,
          "BATON_SCHEMA": places.test.schema.name, HTTPPush.variable: receiver.address,
        ])
      try await program.succeed("migrate")
      try await places.call(ChatTests.send("ann", 1))
      let first = try program.start("worker")
      try await eventually("the first request") { receiver.requests.count == 1 }
      first.signal(SIGKILL)
      _ = try await first.wait(within: .seconds(10))
      // There are 60 more notifications than can begin at once.
      try await places.sql(
        """
        insert into message (partition, created_at, id, group_id, user_id, content)
        select week_partition(now()), now(), gen_random_uuid(), 'g', 'ann', 'm' from generate_series(1, 60)
        """)
      try await places.sql("update worker set heartbeat_at = now() - interval '1 min'")
      let began = ContinuousClock.now
      let second = try program.start("worker")
      try await eventually("all of them") { receiver.keys.count == 61 }
      // After the 20 that begin at once, 41 remain, at 20 a second.
      #expect(began.duration(to: .now) > .seconds(2))
      try await eventually("the end of all") { try await places.sql("select id from run") == [] }
      #expect(receiver.keys[receiver.requests[0].key] == 2)
      #expect(receiver.requests.count == 62)
      second.signal(SIGKILL)
      _ = try await second.wait(within: .seconds(10))
    }
  }
}
