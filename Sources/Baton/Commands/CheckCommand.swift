import ArgumentParser
import JobRunner

/// `baton check`.
struct CheckCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check that jobs, triggers and schema agree; a worker starts only if they do.")

  func run() async throws {
    try await withQueue { queue in
      try await queue.requireNoGaps()
      print("\(Program.jobs.count) jobs, their triggers and the schema agree")
    }
  }
}

extension Queue {
  /// Fails with every gap between this binary's jobs, the triggers and the schema.
  func requireNoGaps() async throws {
    let gaps = try await gaps(Program.jobs)
    guard gaps.isEmpty else {
      throw Complaint(
        .configuration, what: gaps.joined(separator: "; ") + ".",
        place: "table job and the triggers",
        next:
          "Run `\(Program.name) migrate` with this binary; enable or create the triggers that are named."
      )
    }
  }
}
