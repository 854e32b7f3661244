#if HTTP
  import BatonPostgres
  import Foundation
  import PrivateServer
  import TestSupport
  import Testing

  /// Tests the demo as a user sees it at the first start.
  @Suite(.timeLimit(.minutes(5))) struct DemoTests {
    @Test(.sampled())
    func `on a terminal it shows a dashboard and a page until ^C, and elsewhere phones play`()
      async throws
    {
      let folder = try TemporaryFolder()
      defer { try? PrivateServer(directory: folder.path + "/.baton/demo").destroy() }
      var gymrats = BatonProgram()
      gymrats.folder = folder.path
      gymrats.environment["BATON_CHECKINS"] = CheckInData.year2024.path
      let terminal = try Terminal()
      let demo = try gymrats.start(
        bash: #"exec "$0" "$@" > "#.appending(terminal.path), ["demo", "--weeks", "1"])
      defer { demo.signal(SIGKILL) }
      try await eventually("the dashboard", within: .seconds(120)) {
        guard demo.isRunning else { throw TestFailure("it ended: \(demo.errorsSoFar)") }
        return terminal.text.contains("^C ends it")
      }
      let text = terminal.text
      #expect(text.contains("commit to visible: median"))
      let port = try #require(text.firstMatch(of: #/dashboard http://127\.0\.0\.1:(\d+)\//#))
      let client = HTTPClient(port: try #require(Int(port.1)))
      let before = try await runsDone(client)
      try await eventually("boards that move", within: .seconds(30)) {
        try await runsDone(client) > before
      }
      try await checkPage(text)
      demo.signal(SIGINT)
      let ended = try await demo.wait(within: .seconds(30))
      #expect(ended.status == 0, "\(ended.errors)")
      #expect(terminal.text.contains("The server keeps running"))
      try await checkRound(gymrats)
    }

    @Test(.sampled(), arguments: [SIGTERM, SIGKILL])
    func `a signal during the replay ends the demo and its worker`(number: Int32) async throws {
      let folder = try TemporaryFolder()
      let server = PrivateServer(directory: folder.path + "/.baton/demo")
      defer { try? server.destroy() }
      var gymrats = BatonProgram()
      gymrats.folder = folder.path
      gymrats.environment["BATON_CHECKINS"] = CheckInData.year2024.path
      let demo = try gymrats.start("demo", "--weeks", "50", "--no-serve")
      defer { demo.signal(SIGKILL) }
      try await eventually("the worker", within: .seconds(120)) {
        guard demo.isRunning else { throw TestFailure("it ended: \(demo.errorsSoFar)") }
        return demo.errorsSoFar.contains("working schema demo")
      }
      demo.signal(number)
      #expect(try await demo.wait(within: .seconds(2)).status == 128 + number)
      let running = try await blocking { try server.up() }
      let connection = try await Connection.open(
        ConnectionConfiguration(address: running.connectionString))
      let sessions = Call.row(
        Statement(
          "test/sessions",
          "select count(*) from pg_stat_activity where application_name like 'gymrats%'")
      ) { (row) throws(PostgresError) in try row.decode(Int64.self) }
      try await eventually("the end of the worker") { try await connection.run(sessions) == 0 }
      await connection.close()
    }

    /// Checks that a demo whose output is not a terminal plays one round over HTTP, and ends.
    ///
    /// The demo begins again on the server of an earlier demo, whose roles exist.
    private func checkRound(_ gymrats: BatonProgram) async throws {
      let watch = StallWatch()
      defer { watch.stop() }
      let began = ContinuousClock.now
      let output = try await gymrats.succeed("demo", "--weeks", "0")
      let delay = watch.delay(in: began...(.now))
      let time = output.firstMatch(of: #/phones .* on the board of Ann's phone after (\d+) ms\n/#)
      let milliseconds = try #require(time.flatMap { Int($0.1) }, "\(output)")
      // The worker publishes within milliseconds, and only a poll without a wake-up takes seconds.
      #expect(Duration.milliseconds(milliseconds) - delay < .seconds(5))
      #expect(!output.contains("replay"))
      for name in ["signing.key", "session.keys"] {
        let path = "\(gymrats.folder)/.baton/demo/keys/\(name)"
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
        #expect(mode as? Int == 0o600, "\(name)")
      }
    }

    /// Checks the page for phones, and that only browsers on this machine get the page and tokens.
    private func checkPage(_ text: String) async throws {
      let port = try #require(text.firstMatch(of: #/phones +http://127\.0\.0\.1:(\d+)/ is/#))
      #expect(text.contains(##/phones +http://localhost:\d+/#join=[0-9a-f]{32} is/##))
      let client = HTTPClient(port: try #require(Int(port.1)))
      for (path, type) in [("/", "text/html"), ("/demo/phone.css", "text/css")] {
        let page = try await client.get(path, ["Connection: close"])
        #expect(page.status == 200 && page.fields["content-type"] == "\(type); charset=utf-8")
        #expect(page.fields["content-security-policy"]?.hasPrefix("default-src 'none'; ") == true)
        // A foreign name that resolves to this machine reaches only the API.
        let foreign = try await client.get(path, ["Connection: close"], host: "evil.example")
        #expect(foreign.status == 404 && foreign.body.contains("noSuchPath"))
      }
      for (user, fields, status) in [
        ("ann", [], 200), ("eve", [], 422), ("ann", ["Sec-Fetch-Site: cross-site"], 422),
      ] as [(String, [String], Int)] {
        let body = #"{"user":"\#(user)"}"#
        let lines =
          [
            "POST /demo/token HTTP/1.1", "Host: localhost", "Connection: close",
            "Content-Type: application/json", "Content-Length: \(body.utf8.count)",
          ] + fields
        let answer = try await client.ask(lines.map { $0 + "\r\n" }.joined() + "\r\n" + body)
        #expect(answer.status == status, "\(user)")
        #expect(answer.body.contains(#""token":""#) == (status == 200), "\(user)")
      }
    }

    /// Returns the number of completed runs of all jobs, from the worker's metrics.
    private func runsDone(_ client: HTTPClient) async throws -> Int {
      try await client.get("/api/status").body.matches(of: #/"runsDone":(\d+)/#)
        .compactMap { Int($0.1) }.reduce(0, +)
    }
  }
#endif
