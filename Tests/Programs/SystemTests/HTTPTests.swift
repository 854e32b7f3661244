#if HTTP
  import ChallengesSQL
  import Foundation
  import JobRunner
  import BatonPostgres
  import PrivateServer
  import TestSupport
  import Testing

  /// Tests HTTP of real processes over real sockets.
  @Suite(.timeLimit(.minutes(5))) struct HTTPTests {
    static let token = "0123456789abcdef0123456789abcdef"
    private static let bearer = ["Authorization: Bearer \(token)"]

    /// Creates a folder with a token's file and room for a socket.
    func place() throws -> (folder: TemporaryFolder, token: String, socket: String) {
      let folder = try TemporaryFolder()
      let token = try folder.write("token", lines: [Self.token])
      try #require(chmod(token, 0o600) == 0)
      return (folder, token, folder.path + "/http")
    }

    /// Returns the response to a health check as one line, after the server is reachable.
    func ready(_ client: HTTPClient) async throws -> String {
      let answer = try await client.get("/health/ready")
      return "\(answer.status) \(answer.body.split(separator: "\n").first ?? "")"
    }

    func until(_ what: String, _ client: HTTPClient, _ words: String...) async throws {
      try await eventually(what) {
        guard let said = try? await ready(client) else { return false }
        return words.allSatisfy(said.contains)
      }
    }

    @Test(.sampled()) func `a worker tells who has the token what it did, and nobody else`()
      async throws
    {
      try await TestSchema.with { schema in
        let (folder, token, socket) = try place()
        defer { withExtendedLifetime(folder) {} }
        var gymrats = schema.gymrats
        gymrats.environment["BATON_HTTP_TOKEN_FILE"] = token
        let worker = try gymrats.start("worker", "--http", "unix:\(socket)")
        defer { worker.signal(SIGKILL) }
        let client = HTTPClient(socket: socket)
        try await until(
          "a worker that is ready", client, #"200 {"checks":{"drift":"ok","executors":"ok""#)
        let mode = try FileManager.default.attributesOfItem(atPath: socket)[.posixPermissions]
        #expect(mode as? Int == 0o660)

        let people = People(schema)
        try await people.join("u1", group: "g")
        #expect(try await people.record("u1", "w1") == "accepted")
        // A workout changes two boards.
        let done = #"baton_runs_total{job="recompute-ranks",end="done"} 2\#n"#
        try await eventually("what it did") {
          // The process's own metrics are current. The metrics from the database may be a second
          // old.
          let told = try await client.get("/metrics", Self.bearer).body
          return told.contains(done) && told.contains("baton_workers{state=\"alive\"} 1\n")
        }
        let metrics = try await client.get("/metrics", Self.bearer)
        #expect(metrics.fields["content-type"] == "text/plain; version=0.0.4; charset=utf-8")
        for line in [
          "baton_ready 1", "baton_server_read 1",
          #"baton_run_wait_seconds_bucket{job="recompute-ranks",le="+Inf"} 2"#,
          #"baton_unfinished_write_age_seconds{job="recompute-ranks"} 0"#,
          #"baton_runs{job="recompute-ranks",state="dead"} 0"#, #"baton_workers{state="alive"} 1"#,
          "# TYPE baton_attempt_seconds histogram",
        ] { #expect(metrics.body.contains("\(line)\n"), "\(line)") }
        // The metrics contain the product's gauges, and all names in the rules and the dashboard of
        // docs/reference/monitoring.
        #expect(metrics.body.contains("\nbaton_week_closes_due_seconds 0\n"))
        let root = Checkout.root
        let docs = root.appending(path: "docs/reference/monitoring")
        for file in ["alerts.yml", "grafana.json"] {
          let text = try String(contentsOf: docs.appending(path: file), encoding: .utf8)
          let names = text.matches(of: /baton_[a-z_]*[a-z]/).map { String($0.output) }
            .map { $0.replacing(/_bucket$/, with: "") }
          #expect(names.count > 5)
          for name in names {
            #expect(metrics.body.contains("# TYPE \(name) "), "\(file): \(name)")
          }
        }
        // Each family appears once and complete.
        let types = metrics.body.split(separator: "\n").filter { $0.hasPrefix("# TYPE ") }
        #expect(Set(types).count == types.count && types.count > 20)
        // A wait is not computed from two different clocks.
        let sum = try #require(
          metrics.body.firstMatch(of: /run_wait_seconds_sum{job="recompute-ranks"} ([0-9.]+)/))
        #expect(try #require(Double(sum.1)) < 60)

        struct Status: Decodable { let observation: Observation }
        let status = try await client.get("/api/status", Self.bearer)
        let read = try JSONDecoder().decode(Status.self, from: Data(status.body.utf8)).observation
        #expect(read.jobs.map(\.name).contains("recompute-ranks"))

        for path in ["/metrics", "/api/status", "/"] {
          for shown in [[], ["Authorization: Bearer \(Self.token)x"], Self.bearer + Self.bearer] {
            let answer = try await client.get(path, shown)
            #expect(answer.status == 401 && answer.fields["www-authenticate"] == "Bearer")
            let error = try JSONDecoder().decode(
              [String: String].self, from: Data(answer.body.utf8))
            #expect(
              error == [
                "error": "a token is needed", "where": "the header Authorization",
                "next": "Send one header Authorization: Bearer TOKEN.",
              ])
          }
        }
        #expect(try await client.get("/", Self.bearer).status == 200)
        #expect(try await client.get("/nothing", Self.bearer).status == 404)

        worker.signal(SIGTERM)
        #expect(try await worker.wait(within: .seconds(10)).status == 0)
        #expect(!FileManager.default.fileExists(atPath: socket))
      }
    }

    @Test(.sampled()) func `a worker that stops is not ready while its work ends`() async throws {
      try await TestSchema.with { schema in
        let people = People(schema)
        try await people.join("u1", group: "g")
        #expect(try await people.record("u1", "w1") == "accepted")
        try await schema.gymrats.succeed("worker", "--until-idle")
        try await schema.holding("select from board_version for update") { lock in
          #expect(try await people.record("u1", "w2") == "accepted")
          let worker = try schema.gymrats.start("worker", "--http", "127.0.0.1:0")
          defer { worker.signal(SIGKILL) }
          let client = try await worker.httpClient()
          try await lock.waitUntilItBlocks()
          try await until("a worker that is ready", client, "200 ")
          worker.signal(SIGTERM)
          try await until("its stop", client, "503 ", #""executors":"stopping""#)
          #expect(try await client.get("/health/live").status == 200)
          #expect(worker.isRunning)
          try await lock.release()
          #expect(try await worker.wait(within: .seconds(10)).status == 0)
        }
      }
    }

    @Test(.sampled()) func `what asks in another way than a program of this machine is refused`()
      async throws
    {
      try await TestSchema.with { schema in
        let program = try schema.gymrats.start(
          "serve", "--http", "127.0.0.1:0", "--http-host", "Ops.Example")
        defer { program.signal(SIGKILL) }
        let client = try await program.httpClient()
        for (host, status) in [
          ("127.0.0.1:1", 200), ("ops.example", 200), ("evil.example", 421), ("", 421),
          ("localhost\r\nHost: evil.example", 421), ("evil.example\r\nHost: localhost", 421),
        ] {
          let answer = try await client.get("/health/live", host: host)
          #expect(answer.status == status, "\(host)")
          #expect(answer.fields["access-control-allow-origin"] == nil)
        }
        #expect(try await client.ask("GET /health/live HTTP/1.0\r\n\r\n").status == 421)
        #expect(try await client.get("/metrics", ["Origin: http://evil.example"]).status == 403)
        for method in ["POST", "DELETE", "OPTIONS"] {
          let answer = try await client.get("/metrics", method: method, ["Content-Length: 0"])
          #expect(answer.status == 405 && answer.fields["allow"] == "GET, HEAD")
        }
        // Requests that exceed the limits: a long field, many fields, a long path.
        let long = String(repeating: "a", count: 40_000)
        #expect(try await client.get("/health/live", ["X: \(long)"]).status != 200)
        #expect(
          try await client.get("/health/live", (1...100).map { "X\($0): y" }).status != 200)
        #expect(try await client.get("/\(long)").status != 200)
        for text in [
          "nonsense\r\n\r\n", "GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n",
        ] {
          #expect(try await client.ask(text).status == 400)
        }
        let head = try await client.get("/health/live", method: "HEAD")
        #expect(head.status == 200 && head.body == "")
        let answer = try await client.get("/health/live")
        #expect(
          answer.fields == [
            "cache-control": "no-store", "connection": "close", "content-length": "18",
            "content-security-policy":
              "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
            "content-type": "application/json", "cross-origin-resource-policy": "same-origin",
            "referrer-policy": "no-referrer", "x-content-type-options": "nosniff",
            "x-frame-options": "DENY",
          ])
        // Clients that send nothing or never finish are disconnected. In the meantime, other
        // clients get responses.
        try await expectTime(below: .seconds(12) * patience, "the end of two silent clients") {
          () async throws in
          async let silent = client.ask("")
          async let endless = client.ask("GET /health/live HTTP/1.1\r\nHost: localhost\r\nX: ")
          #expect(try await client.get("/health/live").status == 200)
          #expect(try await [silent.status, endless.status].allSatisfy { $0 != 200 })
        }
        program.signal(SIGTERM)
        #expect(try await program.wait(within: .seconds(10)).status == 0)
      }
    }

    @Test(
      .sampled(),
      arguments: [
        "GET / HTTP/1.1\r\nHost: localhost\r\nX: ",
        "POST /api/status HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\nhalf",
        "",
      ])
    func `health is answered at once beside 400 slow clients`(text: String) async throws {
      try await TestSchema.with { schema in
        try await schema.gymrats.succeed("migrate")
        let program = try schema.gymrats.start("serve", "--http", "127.0.0.1:0")
        defer { program.signal(SIGKILL) }
        let client = try await program.httpClient()
        var held: [Int32] = []
        defer { for descriptor in held { close(descriptor) } }
        for number in 1...400 {
          held.append(try await client.hold(text))
          guard number.isMultiple(of: 80) else { continue }
          try await expectTime(below: .seconds(2) * patience, "a check with \(number) clients") {
            () async throws in
            #expect(try await client.get("/health/live").status == 200)
            #expect(try await client.get("/health/ready").status == 200)
          }
        }
      }
    }

    @Test(.sampled())
    func `while the server hangs, is gone and comes back it is said so, soon, over one connection`()
      async throws
    {
      let folder = try TemporaryFolder()
      let server = PrivateServer(directory: folder.path + "/server", settings: [("fsync", "off")])
      defer { try? server.destroy() }
      let running = try await blocking { try server.up() }
      let gymrats = BatonProgram(environment: ["DATABASE_URL": running.connectionString])
      try await gymrats.succeed("migrate")
      try await gymrats.succeed("worker", "--until-idle")
      let program = try gymrats.start("serve", "--http", "127.0.0.1:0")
      defer { program.signal(SIGKILL) }
      let client = try await program.httpClient()
      try await until("a server that is ready", client, "200 ")

      let counting = try await Connection.open(
        ConnectionConfiguration(address: running.connectionString))
      let open = Call<Int64>.row(
        Statement(
          "count",
          "select count(*) from pg_stat_activity where application_name = 'gymrats http'")
      ) { (row) throws(PostgresError) in try row.decode(Int64.self) }
      try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<40 { group.addTask { try await client.get("/metrics").status } }
        for try await status in group { #expect(status == 200) }
      }
      #expect(try await counting.run(open) == 1)

      // The server process that the page uses is stopped. It sends no result, and gives no sign of
      // that.
      let pid = try await counting.run(
        .row(
          Statement(
            "pid", "select pid from pg_stat_activity where application_name = 'gymrats http'")
        ) { (row) throws(PostgresError) in try row.decode(Int32.self) })
      #expect(kill(pid, SIGSTOP) == 0)
      try await until("a server that hangs", client, "503 ", #""server":"no answer in time""#)
      for _ in 1...2 {
        try await expectTime(below: .seconds(7) * patience, "three pages with a stopped server") {
          () async throws in
          #expect(try await client.get("/health/ready").status == 503)
          #expect(try await client.get("/api/status").status == 503)
          #expect(try await client.get("/metrics").body.contains("baton_server_read 0\n"))
        }
      }
      #expect(try await counting.run(open) == 1)
      #expect(kill(pid, SIGCONT) == 0)
      try await until("a server that goes on", client, "200 ")
      #expect(try await counting.run(open) == 1)
      await counting.close()

      #expect(kill(running.processID, SIGINT) == 0)
      try await until("a server that is gone", client, "503 ", #""server":"unreachable""#)
      #expect(try await client.get("/health/live").status == 200)
      _ = try await blocking { try server.up() }
      try await until("a server that is back", client, "200 ")
      program.signal(SIGTERM)
      #expect(try await program.wait(within: .seconds(10)).status == 0)
    }

    @Test(.sampled()) func `a schema that is not ours is said to be what it is`()
      async throws
    {
      try await TestSchema.with(migrated: false) { schema in
        let program = try schema.gymrats.start("serve", "--http", "127.0.0.1:0")
        defer { program.signal(SIGKILL) }
        let client = try await program.httpClient()
        try await until("no schema", client, "503 ", #""server":"ok""#, #""schema":"missing""#)
        // The response contains known words, and no internal details.
        let said = try await client.get("/api/status")
        #expect(said.status == 503 && !said.body.contains("relation"))
        try await schema.gymrats.succeed("migrate")
        try await schema.gymrats.succeed("worker", "--until-idle")
        try await until("a schema", client, "200 ")
        try await schema.sql(
          "update job set at_most = at_most + interval '1 min' where name = 'recompute-ranks'")
        try await until("its drift", client, "503 ", #""drift":"differs""#)
      }
    }

    @Test(.sampled())
    func `where there are roles the dashboard reads enough, and an operator a payload`()
      async throws
    {
      let place = try await RolePlace.make()
      try await place.gymrats(as: "worker").succeed("worker", "--until-idle")
      try await place.rows(
        "insert into dead_run (id, job, key, attempt, error, payload) values (901, 'j', 'k', 1, 'x', '{\"a\": 1}')"
      )
      for kind in ["dashboard", "operator", "postgres"] {
        let program = try place.gymrats(as: kind).start("serve", "--http", "127.0.0.1:0")
        defer { program.signal(SIGKILL) }
        let client = try await program.httpClient()
        try await until("what \(kind) reads", client, "200 ")
        #expect(try await client.get("/api/status").status == 200)
        let question =
          "POST /api/runs/901/payload HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer x\r\n\r\n"
        let answer = try await client.ask(question)
        #expect(answer.status == (kind == "dashboard" ? 403 : 200), "\(kind): \(answer.body)")
        #expect(answer.body.contains(#"\"a\": 1"#) == (kind != "dashboard"))
      }
      let marks = SQL.Dashboard.listMarks.text.replacing("$1", with: "'{g}'")
      #expect(
        try await place.rows("select group_id from (\n\(marks)) m", as: "dashboard") == ["g"])
      let noted = "select role::text from audit where action = 'runs payload' order by number"
      #expect(try await place.rows(noted) == Array(repeating: place.role("operator"), count: 2))
    }
  }
#endif
