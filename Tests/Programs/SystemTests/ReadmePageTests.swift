import BatonPostgres
import Foundation
import TestSupport
import Testing

/// Runs the README's commands for recording a workout without changes.
@Suite(.timeLimit(.minutes(5))) struct ReadmePageTests {
  @Test(.sampled()) func `a member, a group and a workout are a board`() async throws {
    let blocks = try ExampleProgram.text("README.md").components(separatedBy: "```sh\n")
    let block = try #require(
      blocks.compactMap { $0.components(separatedBy: "```").first }
        .first { $0.contains("record_workout") })
    try await TestSchema.with(migrated: false) { test in
      let path = URL(filePath: try BatonProgram.path).deletingLastPathComponent()
      let gymrats = BatonProgram(environment: [
        "DATABASE_URL": test.configuration.address, "BATON_SCHEMA": test.schema.name,
        "PATH": path.path() + ":" + (BatonProgram.inherited["PATH"] ?? "/usr/bin:/bin"),
      ])
      try await gymrats.succeed("migrate")
      let typed = block.replacing("gymrats.", with: "\(test.schema).")
        .replacing("search_path = gymrats", with: "search_path = \(test.schema)")
      let ended = try await gymrats.run(bash: "set -euo pipefail\n" + typed, [])
      #expect(ended.status == 0 && ended.errors == "", "\(ended.output) \(ended.errors)")
      #expect(ended.output.contains(" accepted ") && ended.output.contains("Ann"))
    }
  }
}
