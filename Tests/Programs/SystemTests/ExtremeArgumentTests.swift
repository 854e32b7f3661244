import BatonPostgres
import Foundation
import TestSupport
import Testing

/// Tests extreme numbers and instants as arguments of each command that takes them.
@Suite(.timeLimit(.minutes(10))) struct ExtremeArgumentTests {
  private static let numbers = [
    "-9223372036854775808", "9223372036854775807", "9223372036854775808", "2147483648",
    "4294967296", "-1", "0", "NaN", "inf", "1e308", "99999999999999999999999999",
  ]
  private static let instants = [
    "99999-01-01T00:00:00Z", "9999999999999999999-01-01T00:00:00Z", "294277-01-01",
    "-99999-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "0000-01-01", "2024-99-99",
    "٢٠٢٤-01-01",
  ]
  private static let commands: [([String], [String])] = [
    (["runs", "list", "--limit"], numbers), (["runs", "history", "--limit"], numbers),
    (["runs", "show"], numbers), (["runs", "retry"], numbers), (["runs", "cancel"], numbers),
    (["runs", "discard"], numbers), (["audit", "list", "--limit"], numbers),
    (["audit", "list", "--before"], ["9999-99-99/1", "2024-01-01/999999999", "0000-01-01/1"]),
    (["audit", "list", "--since"], instants), (["audit", "list", "--until"], instants),
    (["schedule", "next", "close-week", "--count"], numbers),
    (
      ["schedule", "backfill", "close-week", "--to", "2024-01-02", "--dry-run", "--from"], instants
    ),
    (
      ["schedule", "backfill", "close-week", "--from", "2024-01-01", "--dry-run", "--to"], instants
    ),
    (["enqueue", "retention", "--priority"], numbers),
    (["enqueue", "retention", "--at"], instants),
    (
      ["enqueue", "retention", "--in"],
      ["99999999999999999999d", "36525d", "36526d", "4000000000s"]
    ),
    (["doctor", "--transaction"], numbers), (["doctor", "--dead-rows"], numbers),
    (["status", "--freshness"], numbers), (["status", "--workers"], numbers),
    (["top", "--count", "1", "--interval"], numbers),
    (["top", "--count"], ["0", "-1"] + [numbers[2]]),
    (["worker", "--until-idle", "--concurrency"], numbers.filter { $0 != "1" }),
    (["week", "status", "--limit"], numbers), (["week", "status", "--held-for"], numbers),
    (["week", "close"], instants), (["board", "--all", "--week"], instants),
    (["week", "reopen", "g", "2024-01-01", "--reason", "r", "--minutes"], numbers),
    (["notifications", "--limit"], numbers), (["verify", "--sample"], numbers),
    (["analytics", "--from"], instants), (["analytics", "--to"], instants),
  ]

  @Test(.sampled())
  func `numbers on the command line are done or refused, and none is a fault`()
    async throws
  {
    try await TestSchema.with { schema in
      try await schema.gymrats.succeed("worker", "--until-idle")
      let asked = Self.commands.flatMap { command, values in
        Randomness.sample(1, of: values).map { value in
          // A value that begins with a minus sign is still a value.
          guard let last = command.last, last.hasPrefix("--") else {
            return command + ["--", value]
          }
          return command.dropLast() + ["\(last)=\(value)"]
        }
      }
      let failures = try await withThrowingTaskGroup(of: [String].self) { group in
        for lane in 0..<4 {
          group.addTask {
            var failures: [String] = []
            for place in stride(from: lane, to: asked.count, by: 4) {
              let ended = try await schema.gymrats.start(asked[place]).wait()
              // The codes 1 and 2 are results of `status`. A fault is 70, and a trap is a signal.
              if ![0, 1, 2, 64, 65, 66, 75].contains(ended.status) {
                failures.append(
                  "\(asked[place].joined(separator: " ")): \(ended.status) \(ended.errors.suffix(300))"
                )
              }
            }
            return failures
          }
        }
        return try await group.reduce(into: [String]()) { $0 += $1 }
      }
      print("ran \(asked.count) commands")
      #expect(failures.isEmpty, "\(failures.count): \(failures.prefix(20).joined(separator: "\n"))")
    }
  }

  @Test(.sampled()) func `a value that the database refuses is reported with its argument`()
    async throws
  {
    try await TestSchema.with { schema in
      try await schema.gymrats.succeed("migrate")
      expectComplaint(
        try await schema.gymrats.run(
          "enqueue", "retention", "--key", "scheduled", "--priority", "10"),
        status: 64, what: "A priority is 1 to 9, not 10.", place: "--priority", next: "1 goes first"
      )
      // The program `baton` has no code of the job, so only the database knows that the job needs a
      // key.
      let baton = BatonProgram(
        executable: try BatonProgram.path(of: "baton"),
        environment: ["DATABASE_URL": schema.configuration.address])
      expectComplaint(
        try await baton.run("enqueue", "retention"), status: 64, what: "This job reads its keys",
        place: "--key", next: "Nothing was enqueued. Give the key of one run.")
    }
  }
}
