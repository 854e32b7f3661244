import BatonPostgres
import Foundation
import TestSupport
import Testing

/// Tests a server's package outside the source tree, with the products `ChallengesPostgres` and
/// `PresencePostgres`.
@Suite(
  .timeLimit(.minutes(5)),
  .enabled(if: TestSize.isFull, "a server in a package of its own: make test-all"))
struct ServerExampleTests {
  private func server(of program: BatonProgram) throws -> BatonProgram {
    BatonProgram(
      executable: try ExampleProgram.path("server", in: ExampleProgram.server),
      environment: program.environment)
  }

  @Test func `a server reads and observes a board that a worker has published`() async throws {
    try await TestSchema.with { schema in
      let people = People(schema)
      for user in ["ann", "ben"] { try await people.join(user, group: "g") }
      for (user, workout) in [("ann", "w1"), ("ben", "w2"), ("ben", "w3")] {
        #expect(try await people.record(user, workout) == "accepted")
      }
      try await schema.gymrats.succeed("worker", "--until-idle")
      #expect(
        try await server(of: schema.gymrats).succeed("board", "ann", "g") == "1 ben 2\n2 ann 1\n")
    }
  }

  @Test func `a server signs a user in and reads who is at a place`() async throws {
    try await TestSchema.with { schema in
      let whosthere = BatonProgram(
        executable: try BatonProgram.path(of: "whosthere"),
        environment: [
          "DATABASE_URL": schema.configuration.address, "BATON_SCHEMA": "whosthere",
        ])
      try await whosthere.succeed("migrate")
      #expect(
        try await server(of: whosthere).succeed("place", "ann", "park") == "accepted\nann manual\n")
      #expect(try await whosthere.succeed("present", "park").contains("ann"))
    }
  }
}
