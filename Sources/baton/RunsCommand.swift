import ArgumentParser
import Foundation
import JobRunner
import Postgres

/// `baton runs`.
struct RunsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "runs", abstract: "Look at runs, retry dead ones, cancel waiting ones.",
    subcommands: [List.self, History.self, Show.self, Retry.self, Cancel.self],
    defaultSubcommand: List.self)

  /// `baton runs list`.
  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "List runs, newest first.")

    @Option(help: "Only those of this job.")
    var job: String?

    @Option(help: "Only those in this state: ready, running or dead.")
    var state: State?

    @Option(help: "How many at most.")
    var limit = 50

    @Flag(help: "One JSON object a line.")
    var json = false

    func validate() throws {
      guard limit > 0 else { throw ValidationError("--limit takes a number from 1 up.") }
    }

    func run() async throws {
      try await withQueue { queue in
        try await queue.requireJob(job)
        let runs = try await queue.runs(of: job, state: state?.rawValue, limit: limit)
        for run in runs {
          print(
            json
              ? try jsonLine(run)
              : "\(run.id)  \(run.state)  \(run.job)  \(run.key)  attempt \(run.attempt)  "
                + "\(run.at)\(run.error.map { "  \($0)" } ?? "")")
        }
        if runs.isEmpty, !json { print("no runs") }
      }
    }
  }

  /// `baton runs history`.
  struct History: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "List runs that have ended, newest first, of jobs that keep history.")

    @Argument(help: "Only those of this job.")
    var job: String?

    @Option(help: "How many at most.")
    var limit = 50

    @Flag(help: "One JSON object a line.")
    var json = false

    func run() async throws {
      try await withQueue { queue in
        let runs = try await queue.history(of: job, limit: max(0, limit))
        for run in runs {
          print(json ? try jsonLine(run) : text(run))
        }
        if runs.isEmpty, !json { print("no runs; only jobs that keep history leave any") }
      }
    }

    private func text(_ run: EndedRun) -> String {
      let report = run.report.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
      let took = run.durationMs.map { "\($0) ms" } ?? "?"
      return "\(run.id)  \(run.outcome)  \(run.job)  \(run.key)  \(run.endedAt)  \(took)"
        + (report.isEmpty ? "" : "  \(report.joined(separator: ", "))")
        + (run.error.map { "  \($0)" } ?? "")
    }
  }

  /// `baton runs show`.
  struct Show: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Show everything about one run, as JSON.")

    @Argument(help: "The run's id.")
    var id: Int64

    func run() async throws {
      try await withQueue { queue in
        guard let run = try await queue.run(id) else { throw Complaint.noRun(id) }
        print(run)
      }
    }
  }

  /// `baton runs retry`.
  struct Retry: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Let dead runs be tried again, with all their attempts.")

    @Argument(help: "The run's id.")
    var id: Int64?

    @Flag(help: "All dead runs.")
    var all = false

    @Option(help: "All dead runs of this job.")
    var job: String?

    func validate() throws {
      guard [id != nil, all, job != nil].filter({ $0 }).count == 1 else {
        throw ValidationError("Give an id, or --all, or --job.")
      }
    }

    func run() async throws {
      try await withQueue { queue in
        try await queue.requireJob(job)
        let count = try await queue.retry(id: id, job: job)
        if let id, count == 0 { throw Complaint.noRun(id, "dead ") }
        print("\(count) runs are enqueued again")
      }
    }
  }

  /// `baton runs cancel`.
  struct Cancel: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Take a ready or dead run out; a running one is left alone.")

    @Argument(help: "The run's id.")
    var id: Int64

    func run() async throws {
      try await withQueue { queue in
        switch try await queue.cancel(id) {
        case .done: print("run \(id) is cancelled")
        case .missing: throw Complaint.noRun(id)
        case .running:
          throw Complaint(
            .tryAgain, what: "Run \(id) is running; it is not touched.", place: "run \(id)",
            next: "Wait for it to end, or stop its worker.")
        }
      }
    }
  }

  /// A state as it is given on the command line.
  enum State: String, CaseIterable, ExpressibleByArgument {
    case ready, running, dead
  }
}

extension Queue {
  /// Fails where a job is named that this schema never had; one of an older binary is known to it.
  fileprivate func requireJob(_ job: String?) async throws {
    guard let job, try await activity()[job] == nil else { return }
    throw Complaint(
      .usage, what: "There is no job '\(job)'.", place: "--job",
      next: "`baton jobs` lists the jobs.")
  }
}

extension Complaint {
  fileprivate static func noRun(_ id: Int64, _ kind: String = "") -> Complaint {
    Complaint(
      .noInput, what: "There is no \(kind)run \(id).", place: "run \(id)",
      next:
        "`baton runs list` shows the runs that there are; what has ended is in `baton runs history`."
    )
  }
}

/// Runs a command's work on the queue that the environment names.
func withQueue(_ body: (Queue) async throws -> Void) async throws {
  let database = try Database.orExit()
  try await complaining(about: database) {
    let connection = try await database.connect()
    try await body(Queue(connection, schema: database.schema))
    await connection.close()
  }
}
