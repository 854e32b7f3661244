import BatonPostgres
import Foundation
import TestSupport
import Testing

@testable import guide

/// Follows "Add a job in five minutes" in CONTRIBUTING step by step.
///
/// `Tests/add-a-job` applied the code blocks to a copy of the example, and built the copy.
@Suite(
  .timeLimit(.minutes(5)),
  .enabled(if: TestSize.isFull, "the steps of CONTRIBUTING, built: make test-all"))
struct AddAJobTests {
  private static let built = ExampleProgram.withJob.appending(path: "built")
  private let section: Guide

  init() throws {
    section = try Guide(
      try ExampleProgram.text("CONTRIBUTING.md"), section: "Add a job in five minutes")
  }

  @Test func `the tests fail with the line that versions.sql has to have, and pass with it`()
    async throws
  {
    let sets = ExampleProgram.withJob.appending(path: "sql/versions.sql")
    let original = try ExampleProgram.text("Examples/orders/sql/versions.sql")
    try Data(original.utf8).write(to: sets)
    let first = try await ExampleProgram.test(in: Self.built)
    let said = first.output + first.errors
    let summary = said.split(separator: "\n").last { $0.contains("Test run with") } ?? ""
    #expect(
      first.status != 0 && summary.contains("9 tests") && summary.hasSuffix("with 1 issue."),
      "\(said)")
    let line = try #require(said.firstMatch(of: /-- 2 [0-9a-f]{16}/), "\(said)")

    try Data("\(original)\(line.output)\n".utf8).write(to: sets)
    let second = try await ExampleProgram.test(in: Self.built)
    #expect(second.status == 0, "\(second.output) \(second.errors)")
  }

  @Test func `what it says to run by hand runs the job`() async throws {
    try await TestSchema.with { test in
      var orders = BatonProgram(environment: ["DATABASE_URL": test.configuration.address])
      orders.environment["PATH"] =
        Self.built.path(percentEncoded: false) + ":"
        + (BatonProgram.inherited["PATH"] ?? "/usr/bin:/bin")
      _ = try ExampleProgram.path("orders", in: Self.built)
      let lines = section.commands
      #expect(lines.contains("orders migrate") && lines.contains("orders worker --until-idle"))
      let ended = try await orders.run(
        bash: (["set -euo pipefail"] + lines).joined(separator: "\n"), [])
      #expect(ended.status == 0 && ended.errors == "", "\(ended.output) \(ended.errors)")
      #expect(ended.output.contains("applied orders/0002_create_label"))
      #expect(ended.output.contains("tea for Street 1"))
    }
  }
}
