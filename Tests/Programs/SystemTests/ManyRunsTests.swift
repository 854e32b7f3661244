#if HTTP
  import Foundation
  import BatonPostgres
  import PrivateServer
  import TestSupport
  import Testing

  /// Tests how fast pages and commands respond while ten million runs wait.
  @Suite(.serialized, .timeLimit(.minutes(60))) struct ManyRunsTests {
    /// The number of waiting runs.
    private static let runs =
      ProcessInfo.processInfo.environment["BATON_MANY_RUNS"].flatMap { Int($0) } ?? 10_000_000
    private static let dead = 100_000
    private static let asked = 5

    /// Another program to be measured, in place of the program that was built with the tests.
    private static let program = ProcessInfo.processInfo.environment["BATON_PROGRAM"]
    /// The maximum time for a page, as the median of five requests.
    private static let limit = Duration.milliseconds(program == nil ? 400 : 200)
    /// The ids of a waiting run and a dead run.
    private static let (waiting, died) = (1_001, runs + 1_001)

    private static let pages = [
      "/", "/jobs", "/jobs/recompute-ranks", "/runs", "/runs?state=delayed", "/runs?state=running",
      "/runs?state=dead", "/runs?state=ended", "/runs?job=recompute-ranks",
      "/runs?state=dead&job=recompute-ranks", "/runs?job=recompute-ranks&key=key-1", "/dead",
      "/runs/\(died)", "/runs/\(waiting)?job=recompute-ranks&key=key-1", "/schedules",
      "/schedules/close-week", "/workers", "/database", "/weeks",
      "/boards", "/members", "/notifications",
    ]

    /// The requests, by the path in the description.
    private static let api = [
      "/api/status": ["/api/status"], "/api/openapi.json": ["/api/openapi.json"],
      "/api/jobs": ["/api/jobs"], "/api/jobs/{job}": ["/api/jobs/recompute-ranks"],
      "/api/runs": [
        "/api/runs", "/api/runs?state=delayed", "/api/runs?state=running", "/api/runs?state=dead",
        "/api/runs?state=ended", "/api/runs?job=recompute-ranks&key=key-1",
      ],
      "/api/runs/{id}": [
        "/api/runs/\(died)", "/api/runs/\(waiting)?job=recompute-ranks&key=key-1",
      ],
      "/api/dead": ["/api/dead"], "/api/schedules": ["/api/schedules"],
      "/api/schedules/{job}": ["/api/schedules/close-week"],
      // No schedule with this name exists. The request searches for it.
      "/api/schedules/{job}/{name}": ["/api/schedules/close-week/none"],
      "/api/workers": ["/api/workers"], "/api/database": ["/api/database"],
    ]

    @Test(.enabled(if: TestSize.isFull, "ten million runs: make test-all"))
    func `each page and each question of the API is answered at once beside ten million runs`()
      async throws
    {
      // The data has some gigabytes, so it is not in memory.
      let server = PrivateServer(
        directory:
          "\(TestPlaces.disk)/baton-tests-\(ProcessInfo.processInfo.processIdentifier)-runs",
        settings: [("fsync", "off"), ("full_page_writes", "off"), ("max_wal_size", "4GB")])
      defer { try? server.destroy() }
      let address = try server.up().connectionString
      let gymrats = BatonProgram(
        executable: Self.program, environment: ["DATABASE_URL": address])
      try await gymrats.succeed("migrate")
      try await gymrats.succeed("worker", "--until-idle")
      try await fill(address)

      let program = try gymrats.start(["serve", "--http", "127.0.0.1:0"])
      defer { program.signal(SIGKILL) }
      let client = try await program.httpClient()
      try await isWhole(client)
      var figures: [(target: String, median: Duration, first: Duration)] = []
      for target in Self.pages + Self.api.sorted(by: { $0.key < $1.key }).flatMap(\.value) {
        let times = try await times(of: target, client)
        figures.append((target, times.sorted()[times.count / 2], times[0]))
      }
      let slowest = figures.max { $0.median < $1.median }
      print(
        "FIGURE beside \(Self.runs) waiting and \(Self.dead) dead runs: \(figures.count) places, the slowest",
        "\(slowest?.target ?? "") in \(slowest?.median.whole ?? 0) ms")
      for (target, median, first) in figures {
        print("FIGURE \(target): \(median.whole) ms, the first time \(first.whole) ms")
        #expect(median <= Self.limit, "\(target)")
      }
    }

    /// Expects that every described path is requested.
    private func isWhole(_ client: HTTPClient) async throws {
      let text = try await client.get("/api/openapi.json").body
      let description = try #require(
        JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
      let paths = try #require(description["paths"] as? [String: [String: Any]])
      #expect(Set(paths.filter { $0.value["get"] != nil }.keys) == Set(Self.api.keys))
      // The same holds for each entry of the menu.
      let menu = try await client.get("/").body.matches(of: /<li><a href="(\/[a-z]*)"/)
      #expect(menu.count > 9 && menu.allSatisfy { Self.pages.contains(String($0.1)) })
    }

    private func times(of target: String, _ client: HTTPClient) async throws -> [Duration] {
      var times: [Duration] = []
      for _ in 0..<Self.asked {
        let began = ContinuousClock.now
        let answer = try await client.get(target)
        times.append(began.duration(to: .now))
        let isThere = !target.hasSuffix("/none")
        #expect(answer.status == (isThere ? 200 : 404), "\(target)")
        #expect(!answer.body.contains("Not seen"), "\(target)")
      }
      return times
    }

    /// Inserts runs of five jobs, one in ten of them due later, and dead runs with fifty different
    /// errors.
    private func fill(_ address: String) async throws {
      let connection = try await Connection.open(ConnectionConfiguration(address: address))
      let job =
        "(array['recompute-ranks', 'close-week', 'retention', 'verify-boards', 'purge-runs'])"
      let step = 1_000_000
      for begin in stride(from: 0, to: Self.runs, by: step) {
        try await connection.sql(
          """
          insert into run (id, job, key, state, first_event_at, last_event_at, due, payload)
          select 1000 + n, \(job)[1 + (n - 1) % 5], 'key-' || n, 'ready', now() - n * interval '1 ms',
            now(), now() + case when n % 10 = 0 then n else -n end * interval '1 ms',
            jsonb_build_object('n', n)
          from generate_series(\(begin + 1), \(min(begin + step, Self.runs))) n
          """, in: .standard)
      }
      try await connection.sql(
        """
        insert into dead_run (id, job, key, attempt, error, died_at)
        select \(Self.died - 1) + n, \(job)[1 + n % 5], 'dead-' || n, 3, 'error ' || chr(97 + n % 25) || ' at ' || n,
          now() - n * interval '1 s'
        from generate_series(1, \(Self.dead)) n
        """, in: .standard)
      // The tables are analyzed, as by autovacuum.
      try await connection.sql("analyze run, dead_run", in: .standard)
      await connection.close()
    }
  }

  extension Duration {
    /// The duration in milliseconds.
    fileprivate var whole: Int { Int((self / .milliseconds(1)).rounded()) }
  }
#endif
