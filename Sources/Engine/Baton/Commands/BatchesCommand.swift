import ArgumentParser
import BatonJobs
import BatonPostgres
import JobRunner

/// The `baton batches` command, which lists, cancels and retries batches.
struct BatchesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "batches", abstract: "List batches of runs; cancel or retry all runs of a batch.",
    subcommands: [List.self, Cancel.self, Retry.self], defaultSubcommand: List.self)

  /// The `baton batches list` command.
  struct List: AsyncParsableCommand, CheckedArguments {
    static let configuration = CommandConfiguration(
      abstract: "List batches, newest first.",
      discussion: """
        The states are open (members can be added), sealed, cancelling, retrying, blocked (the batch waits for its \
        missing or retired job) and ended.
        """)

    @Argument(help: "List only this batch.")
    var name: String?

    @Flag(help: "List only batches that have not ended.")
    var open = false

    @Option(help: "List at most so many batches.")
    var limit = 100

    @Flag(help: "Print one JSON object per line.")
    var json = false

    func checkArguments() throws {
      guard limit > 0 else { throw ValidationError("--limit takes a number from 1 up.") }
    }

    func run() async throws {
      try await withQueue { queue in
        let batches = try await queue.batches(name, isOpen: open, limit: limit)
        if let name, !open, batches.isEmpty { throw BatchesCommand.missing(name) }
        try Console.write(
          batches, json: json, none: "no batches",
          heading: [
            "BATCH", "STATE", "OPEN", "DONE", "DEAD", "CANCELLED", "GENERATION", "JOB", "CREATED",
          ], cells: \.cells)
      }
    }
  }

  /// The `baton batches cancel` command.
  struct Cancel: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Cancel all waiting and running runs of a batch and of its nested batches.",
      discussion: """
        Workers cancel the runs, and the batch then ends. A run that other callers share is cancelled for them too.
        """)

    @Argument(help: "The batch's name.")
    var name: String

    func run() async throws {
      try await withQueue { queue in
        let isOpen = try await BatchesCommand.values.reporting { try await queue.cancelBatch(name) }
        Console.write(isOpen ? "\(name): cancelling" : "\(name): has already ended")
      }
    }
  }

  /// The `baton batches retry` command.
  struct Retry: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Retry all dead runs of a batch; the batch then ends once more.",
      discussion: "Workers retry the runs. Nested batches are retried separately.")

    @Argument(help: "The batch's name.")
    var name: String

    func run() async throws {
      try await withQueue { queue in
        let dead = try await BatchesCommand.values.reporting { try await queue.retryBatch(name) }
        Console.write(
          dead > 0 ? "\(name): retrying \(counted(dead, "dead run"))" : "\(name): no dead runs")
      }
    }
  }

  /// The argument values of `batches cancel` and `batches retry`.
  private static let values = CheckedValues(
    arguments: ["ZB019": "NAME"], outcome: "Nothing was changed.")

  private static func missing(_ name: String) -> Complaint {
    Complaint(
      .usage, what: "There is no batch '\(name)'.", place: "NAME",
      next: "`\(Program.name) batches` lists the batches.")
  }
}

extension ListedBatch {
  fileprivate var cells: [String?] {
    let counts: [String?] = [open, done, dead, cancelled, Int64(generation)].map { String($0) }
    return [name, state] + counts + [job, createdAt]
  }
}
