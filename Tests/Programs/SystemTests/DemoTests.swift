#if HTTP
  import Foundation
  import PrivateServer
  import TestSupport
  import Testing

  /// Tests the demo as a user sees it at the first start.
  @Suite(.timeLimit(.minutes(5))) struct DemoTests {
    @Test func `on a terminal it shows a dashboard while it goes on writing, until ^C`()
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
      demo.signal(SIGINT)
      let ended = try await demo.wait(within: .seconds(30))
      #expect(ended.status == 0, "\(ended.errors)")
      #expect(terminal.text.contains("The server keeps running"))
    }

    /// Returns the number of completed runs of all jobs, from the worker's metrics.
    private func runsDone(_ client: HTTPClient) async throws -> Int {
      try await client.get("/api/status").body.matches(of: #/"runsDone":(\d+)/#)
        .compactMap { Int($0.1) }.reduce(0, +)
    }
  }
#endif
