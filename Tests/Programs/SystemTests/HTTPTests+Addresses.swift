#if HTTP
  import Foundation
  import TestSupport
  import Testing

  extension HTTPTests {
    @Test(.sampled()) func `an address that cannot be had is a complaint`() async throws {
      try await TestSchema.with { schema in
        let (folder, token, socket) = try place()
        defer { withExtendedLifetime(folder) {} }
        let program = try schema.gymrats.start("serve", "--http", "unix:\(socket)")
        defer { program.signal(SIGKILL) }
        try await until("an answer", HTTPClient(socket: socket), "checks")
        for command in ["serve", "worker"] {
          let ended = try await schema.gymrats.run(
            command, "--http", "unix:\(socket)", within: .seconds(20))
          expectComplaint(
            ended, status: 75, what: "Another program", place: socket,
            next: "Stop the program")
        }
        expectComplaint(
          try await schema.gymrats.run("serve", "--http", "unix:\(token)"), status: 78,
          what: "another kind of file", place: token, next: "Nothing was changed")
        expectComplaint(
          try await schema.gymrats.run("serve", "--http", "unix:\(folder.path)/none/http"),
          status: 78,
          what: "No such file", place: "none/http", next: "Choose an address")
        // A new process takes over the socket of a killed process.
        program.signal(SIGKILL)
        _ = try await program.wait()
        #expect(FileManager.default.fileExists(atPath: socket))
        let next = try schema.gymrats.start("serve", "--http", "unix:\(socket)")
        defer { next.signal(SIGKILL) }
        try await until("an answer", HTTPClient(socket: socket), "checks")

        let other = try schema.gymrats.start("serve", "--http", "127.0.0.1:0")
        defer { other.signal(SIGKILL) }
        _ = try await other.httpClient()
        let port = try #require(other.errorsSoFar.firstMatch(of: /127\.0\.0\.1:\d+/)).0
        expectComplaint(
          try await schema.gymrats.run("serve", "--http", "\(port)"), status: 75,
          what: "Another program", place: "\(port)", next: "--http")
      }
    }

    @Test(.sampled())
    func `a process that stops does not remove the socket of the next process`() async throws {
      let (folder, _, socket) = try place()
      defer { withExtendedLifetime(folder) {} }
      let client = HTTPClient(socket: socket)
      func start() async throws -> TestProcess {
        let program = BatonProgram(environment: ["DATABASE_URL": "postgresql://127.0.0.1:1/none"])
        let process = try program.start("serve", "--http", "unix:\(socket)")
        try await eventually("a response") {
          (try? await client.get("/health/live").status) == 200
        }
        return process
      }
      let first = try await start()
      defer { first.signal(SIGKILL) }
      // The stop waits one second for the body of this request.
      let open = try await client.hold(
        "POST /api/runs HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n")
      defer { close(open) }
      #expect(try await client.get("/health/live").status == 200)
      first.signal(SIGTERM)
      try await eventually("a path that the next process can use") {
        guard let descriptor = try? await client.hold("") else { return true }
        close(descriptor)
        return false
      }
      first.signal(SIGSTOP)
      let next = try await start()
      defer { next.signal(SIGKILL) }
      first.signal(SIGCONT)
      _ = try await first.wait()
      #expect(try await client.get("/health/live").status == 200)
      next.signal(SIGTERM)
      try await next.end(with: 0)
      #expect(!FileManager.default.fileExists(atPath: socket))
    }

    @Test(.sampled())
    func `nothing is opened to others without a token, nor with one that others can read`()
      async throws
    {
      let (folder, token, _) = try place()
      var gymrats = BatonProgram(environment: ["DATABASE_URL": "postgresql://127.0.0.1:1/none"])
      func refused(
        _ arguments: [String], _ status: Int32, _ what: String, _ next: String
      ) async throws {
        let ended = try await gymrats.start(arguments).wait(within: .seconds(30))
        expectComplaint(ended, status: status, what: what, next: next)
        #expect(!ended.errors.contains(Self.token))
      }
      let all = ["serve", "--http", "0.0.0.0:0"]
      try await refused(all, 64, "Other machines can reach", "--http-open")
      try await refused(["worker", "--http", "[::]:0"], 64, "Other machines can reach", "TLS")
      try await refused(all + ["--http-open"], 64, "needs a token", "openssl rand")
      try await refused(["serve", "--http", "example.com:80"], 64, "not an address", "unix:/path")
      try await refused(["worker", "--http-open"], 64, "need an address", "--http 127.0.0.1:8080")
      gymrats.environment["BATON_HTTP_TOKEN"] = "too short"
      try await refused(all + ["--http-open"], 64, "could be guessed", "openssl rand")
      gymrats.environment["BATON_HTTP_TOKEN_FILE"] = token
      try #require(chmod(token, 0o640) == 0)
      try await refused(all + ["--http-open"], 77, "may use the token file", "chmod 600")
      gymrats.environment["BATON_HTTP_TOKEN_FILE"] = folder.path + "/none"
      try await refused(all + ["--http-open"], 77, "cannot be read", "mode 600")
    }
  }
#endif
