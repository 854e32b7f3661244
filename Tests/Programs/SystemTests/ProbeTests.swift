#if HTTP
  import Foundation
  import TestSupport
  import Testing

  /// The Kubernetes probes of docs/reference/monitoring.md, at an address that other machines can reach.
  @Suite(.timeLimit(.minutes(5))) struct ProbeTests {
    @Test(.sampled()) func `the probes of the page need neither a token nor a known host`()
      async throws
    {
      let page = try Checkout.text("docs/reference/monitoring.md")
      let probes = page.matches(of: /httpGet: \{path: ([^,]+), port: (\d+)\}/)
      let paths = probes.map { String($0.output.1) }
      let ports = probes.map { String($0.output.2) }
      #expect(paths.sorted() == ["/health/live", "/health/ready"])
      let port = try #require(ports.first)
      let options = "`--http 0.0.0.0:\(port) --http-open`"
      #expect(Set(ports).count == 1 && page.contains(options))
      let guide = try Checkout.text("docs/guides/deploying.md")
      #expect(guide.contains(options))

      try await TestSchema.with { schema in
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let token = try folder.write("token", lines: ["0123456789abcdef0123456789abcdef"])
        try #require(chmod(token, 0o600) == 0)
        var gymrats = schema.gymrats
        gymrats.environment["BATON_HTTP_TOKEN_FILE"] = token
        let worker = try gymrats.start("worker", "--http", "0.0.0.0:0", "--http-open")
        defer { worker.signal(SIGKILL) }
        let client = try await worker.httpClient()
        // The address of a pod, which the server cannot know.
        let pod = "10.1.2.3:\(port)"
        for path in paths {
          try await eventually("a probe of \(path)") {
            try await client.get(path, host: pod).status == 200
          }
        }
        #expect(try await client.get("/metrics", host: "0.0.0.0:\(port)").status == 401)
        #expect(try await client.get("/metrics", host: pod).status == 421)
      }
    }
  }
#endif
