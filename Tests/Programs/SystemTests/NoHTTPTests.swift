import TestSupport
import Testing

/// Tests programs without HTTP: one that does not use it, and `gymrats` built without the trait.
@Suite(.timeLimit(.minutes(5))) struct NoHTTPTests {
  @Test(arguments: [["serve"], ["worker", "--http", "127.0.0.1:0"]])
  func `a program without HTTP says that it has none`(arguments: [String]) async throws {
    try await TestSchema.with { schema in
      var programs = [try ExampleProgram.path("orders")]
      #if !HTTP
        programs.append(try BatonProgram.path)
      #endif
      for path in programs {
        let program = BatonProgram(executable: path, environment: schema.gymrats.environment)
        expectComplaint(
          try await program.start(arguments).wait(), status: 64, what: "does not support HTTP",
          place: "--http", next: "trait HTTP")
      }
    }
  }
}
