#if HTTP
  import Foundation
  import TestSupport
  import Testing

  /// The health check of a process whose login the server no longer accepts.
  @Suite(.timeLimit(.minutes(5))) struct RefusedLoginTests {
    @Test func `a changed password is reported as refused, and not as unreachable`() async throws {
      try await TestSchema.with { test in
        try await withRole(password: "first-word") { role in
          var gymrats = test.gymrats
          gymrats.environment["DATABASE_URL"] =
            "postgresql://\(role):first-word@127.0.0.1:\(try TestServer.loopbackPort)/\(test.name)"
          let program = try gymrats.start("serve", "--http", "127.0.0.1:0")
          defer { program.signal(SIGKILL) }
          let client = try await program.httpClient()
          try await eventually("a read") {
            try await client.get("/health/ready").body.contains(#""server":"ok""#)
          }
          try await test.sql("alter role \(role) password 'second-word'")
          try await test.sql(
            "select pg_terminate_backend(pid, 5000) from pg_stat_activity where usename = '\(role)'"
          )
          try await eventually("the refusal") {
            let said = try await client.get("/health/ready").body
            #expect(!said.contains("unreachable"), "\(said)")
            return said.contains(#""server":"refused""#)
          }
        }
      }
    }
  }
#endif
