#if HTTP
  import ChallengesSQL
  import JobRunner
  import BatonPostgres
  import Synchronization
  import TestSupport
  import Testing

  @testable import Baton
  @testable import GymRats

  /// Tests which events the pages of boards receive, on a real server.
  @Suite(.timeLimit(.minutes(5))) struct BoardFeedTests {
    /// The observed groups, and the received events.
    private final class Looks: Sendable {
      let at = Mutex<[String]>([])
      let heard = Mutex<[String]>([])

      /// Returns how often a group got an event.
      func times(_ group: String) -> Int {
        heard.withLock { $0.count { $0.contains("\"\(group)\"") } }
      }
    }

    private func subject(_ schema: TestSchema) -> HTTPSubject {
      let configuration = ConnectionConfiguration(
        address: schema.configuration.address, applicationName: "boards of \(schema.name)")
      return HTTPSubject(
        configuration: configuration, actions: configuration, dryRuns: configuration,
        schema: schema.schema, parts: [], jobs: [],
        tables: TableTriggers(schema.schema, of: "test", jobs: []), worker: nil)
    }

    private func sessions(_ schema: TestSchema) async throws -> [String] {
      try await schema.sql(
        "select state from pg_stat_activity where application_name = 'boards of \(schema.name)'")
    }

    @Test(.sampled())
    func `a feed reports changes of the boards on display, and of no other board`()
      async throws
    {
      try await TestSchema.with { schema in
        let people = People(schema)
        try await people.join("u1", group: "g1")
        try await people.join("u2", group: "g2")
        let looks = Looks()
        try await withThrowingTaskGroup(of: Void.self) { group in
          group.addTask {
            let feed = BoardFeed().events(of: subject(schema)) { looks.at.withLock { $0 } }
            for await groups in feed { looks.heard.withLock { $0.append(groups) } }
          }
          looks.at.withLock { $0 = ["g1"] }
          // The displayed data may be slightly older.
          try await eventually("the first word") { looks.times("g1") == 1 }
          for (user, workout) in [("u2", "w2"), ("u1", "w1")] {
            #expect(try await people.record(user, workout) == "accepted")
            try await schema.gymrats.succeed("worker", "--until-idle")
          }
          try await eventually("its change") { looks.times("g1") > 1 }
          #expect(looks.times("g2") == 0)
          #expect(try await sessions(schema).count == 1)
          looks.at.withLock { $0 = ["g1", "g2", "nobody's"] }
          try await eventually("the others") {
            looks.times("g2") == 1 && looks.times("nobody's") == 1
          }
          // After the server has ended the session, the feed connects again, and sends no event
          // twice.
          try await schema.sql(
            """
            select pg_terminate_backend(pid) from pg_stat_activity
            where application_name = 'boards of \(schema.name)'
            """)
          #expect(try await people.record("u2", "w3") == "accepted")
          try await schema.gymrats.succeed("worker", "--until-idle")
          try await eventually("the change behind it") { looks.times("g2") > 1 }
          #expect(looks.times("nobody's") == 1)
          // Two spellings of a letter are two groups.
          looks.at.withLock { $0 = ["\u{e9}", "e\u{301}"] }
          let both = "[\"\u{e9}\",\"e\u{301}\"]".utf8.count
          try await eventually("both spellings") {
            looks.heard.withLock { $0.contains { $0.utf8.count == both } }
          }
          looks.at.withLock { $0 = [] }
          try await eventually("no session") { try await sessions(schema).isEmpty }
          group.cancelAll()
        }
      }
    }

    @Test func `each group is looked up by itself`() async throws {
      try await TestSchema.with { schema in
        let plan = try await schema.explain(SQL.Dashboard.listMarks, "text[]", "'{g}'")
          .joined(separator: "\n")
        #expect(plan.contains("challenge_board") && plan.contains("board_version_pkey"), "\(plan)")
        #expect(!plan.contains("Seq Scan on challenge"), "\(plan)")
        #expect(!plan.contains("Seq Scan on board_version"), "\(plan)")
      }
    }
  }
#endif
