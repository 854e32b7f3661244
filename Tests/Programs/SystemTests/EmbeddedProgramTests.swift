#if HTTP
  import Baton
  import BatonPostgres
  import Foundation
  import TestSupport
  import Testing

  /// Tests a worker that is a service of a Hummingbird program, as docs/guides/embedding.md
  /// describes.
  @Suite(.timeLimit(.minutes(5))) struct EmbeddedProgramTests {
    @Test func `a Hummingbird program responds and executes runs, and SIGTERM stops both`()
      async throws
    {
      try await TestSchema.with { test in
        let connection = try await test.connect()
        try await Queue(Session(connection, in: test.schema)).define(
          [RegisteredJob(Greet.self) { $0 }])
        await connection.close()
        try await test.sql("create table greeting (name text not null)")
        let port = try Listener.unusedPort()
        let program = BatonProgram(
          executable: try BatonProgram.path(of: "EmbeddedProgram"),
          environment: [
            "DATABASE_URL": test.configuration.address, "BATON_SCHEMA": test.schema.name,
            "PORT": "\(port)",
          ])
        let process = try program.start()
        defer { process.signal(SIGKILL) }
        let client = HTTPClient(port: port)
        try await eventually("a response") {
          (try? await client.get("/health", ["Connection: close"]).status) == 200
        }
        try await test.sql("select enqueue('greet', 'ann')")
        try await eventually("a greeting") {
          try await test.sql("select name from greeting") == ["ann"]
        }
        process.signal(SIGTERM)
        #expect(try await process.wait(within: .seconds(20)).status == 0)
        #expect(try await test.sql("select count(*) from worker") == ["0"])
      }
    }
  }

  /// The job that `EmbeddedProgram` executes, with the same name.
  private struct Greet: BatchJob {
    static let definition = Definition<Self>("greet")

    static func run(_ batch: [Run<Self>], in transaction: Transaction) async throws {}
  }
#endif
