#if HTTP
  import Foundation
  import TestSupport
  import Testing

  /// The counter `baton_runs_total` of a worker.
  @Suite(.timeLimit(.minutes(5))) struct RunCounterTests {
    @Test(.sampled())
    func `an unreadable run of a batch is counted as dead, and the others as done`()
      async throws
    {
      try await TestSchema.with { schema in
        try await schema.gymrats.succeed("migrate")
        let people = People(schema)
        try await people.join("u1", group: "g")
        try await schema.gymrats.succeed("jobs", "pause", "recompute-ranks")
        _ = try await people.record("u1", "w1")
        try await schema.sql("select enqueue('recompute-ranks', 'unreadable')")
        try await schema.gymrats.succeed("worker", "--until-idle")
        // The next attempt is the last one.
        try await schema.sql("update run set attempt = 3792 where key = 'unreadable'")
        try await schema.sql("update job set paused_at = null")
        let worker = try schema.gymrats.start("worker", "--http", "127.0.0.1:0", "--http-open")
        defer { worker.signal(SIGKILL) }
        let client = try await worker.httpClient()
        // A workout changes two boards.
        try await eventually("the numbers of runs") {
          let metrics = try await client.get("/metrics").body
          return metrics.contains("baton_runs_total{job=\"recompute-ranks\",end=\"dead\"} 1\n")
            && metrics.contains("baton_runs_total{job=\"recompute-ranks\",end=\"done\"} 2\n")
        }
        #expect(try await schema.sql("select count(*) from dead_run") == ["1"])
      }
    }
  }
#endif
