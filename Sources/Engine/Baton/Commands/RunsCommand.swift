import ArgumentParser
import BatonJobs
import BatonPostgres
import Foundation
package import JobRunner

/// The `baton runs` command, which lists and changes runs.
struct RunsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "runs",
    abstract: "List, inspect and wait for runs; retry or discard dead runs; cancel runs.",
    subcommands: [
      List.self, History.self, Show.self, Wait.self, Retry.self, Discard.self, Cancel.self,
    ],
    defaultSubcommand: List.self)

  /// The `baton runs list` command.
  struct List: AsyncParsableCommand, CheckedArguments {
    static let configuration = CommandConfiguration(abstract: "List runs, newest first.")

    @Option(help: "List only runs of this job.")
    var job: String?

    @Option(help: "List only runs in this state: ready, running or dead.")
    var state: State?

    @Option(help: "List only runs with this key.")
    var key: String?

    @Option(help: "Earliest due time or death: YYYY-MM-DD or YYYY-MM-DDThh:mm:ssZ.")
    var since: String?

    @Option(help: "Latest due time or death, exclusive.")
    var until: String?

    @Option(help: "List only runs whose last error contains this text, in any case.")
    var error: String?

    @Option(help: "List only runs that this worker is executing, or that failed in this worker.")
    var worker: String?

    @Option(help: "The maximum number of runs.")
    var limit = 50

    @Flag(help: "Print one JSON object per line.")
    var json = false

    func checkArguments() throws {
      guard limit > 0 else { throw ValidationError("--limit takes a number from 1 up.") }
    }

    func run() async throws {
      try await withQueue { queue in
        try await queue.requireJob(job)
        let runs = try await queue.runs(try filter(), limit: limit)
        for run in runs {
          Console.write(json ? try jsonLine(run) : run.line)
        }
        if runs.isEmpty, !json { Console.write("no runs") }
      }
    }

    private func filter() throws -> RunSearch {
      var filter = RunSearch()
      (filter.job, filter.key, filter.state) = (job, key, state?.rawValue)
      filter.since = try since.map { try Date(instant: $0, place: "--since") }
      filter.until = try until.map { try Date(instant: $0, place: "--until") }
      (filter.error, filter.worker) = (error, worker)
      return filter
    }
  }

  /// The `baton runs history` command.
  struct History: AsyncParsableCommand, CheckedArguments {
    static let configuration = CommandConfiguration(
      abstract:
        "List ended runs of jobs that keep history, and all cancelled runs, newest first."
    )

    @Argument(help: "List only runs of this job.")
    var job: String?

    @Option(help: "The maximum number of runs.")
    var limit = 50

    @Flag(help: "Print one JSON object per line.")
    var json = false

    func checkArguments() throws {
      guard limit > 0 else { throw ValidationError("--limit takes a number from 1 up.") }
    }

    func run() async throws {
      try await withQueue { queue in
        let runs = try await queue.history(of: job, limit: limit)
        if runs.isEmpty { try await queue.requireJob(job, place: "JOB") }
        for run in runs {
          Console.write(json ? try jsonLine(run) : text(run))
        }
        if runs.isEmpty, !json { Console.write("no runs; jobs without history store none") }
      }
    }

    private func text(_ run: EndedRun) -> String {
      let report = run.report.sorted { $0.key < $1.key }
        .reduce(into: Report()) { $0.add($1.value, $1.key) }
      let took = run.durationMs.map { "\($0) ms" } ?? "?"
      let line =
        "\(run.id)  \(run.outcome)  \(run.job)  \(run.key)  \(run.endedAt)  \(took)"
        + (report.isEmpty ? "" : "  \(report)")
        + (run.error.map { "  \($0)" } ?? "")
      return line.printable()
    }
  }

  /// The `baton runs show` command.
  struct Show: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Print the details and the timeline of one run as JSON, even if the run has ended.",
      discussion: """
        Failed attempts are stored for as long as the history is kept. Other attempts of an ended run are stored \
        if its job keeps history.
        """)

    @Argument(help: "The run's id, or one of its earlier ids.")
    var id: Int64

    @Flag(help: "Print the JSON on one line.")
    var json = false

    func run() async throws {
      try await withQueue { queue in
        guard let run = try await queue.run(id, isOnOneLine: json) else {
          throw Complaint.noRun(id)
        }
        Console.write(run)
      }
    }
  }

  /// A run's state, as typed on the command line.
  enum State: String, CaseIterable, ExpressibleByArgument {
    case ready, running, dead
  }
}

extension ListedRun {
  /// The run as one line of readable text, both on a terminal and in a pipe.
  var line: String {
    "\(id)  \(state)  \(job)  \(key)  attempt \(attempt)  \(at)\(error.map { "  \($0)" } ?? "")"
      .printable()
  }
}

extension Queue {
  /// Throws an error if the schema has never had a job with the given name.
  ///
  /// Jobs that only older binaries define are also accepted.
  ///
  /// - Parameter place: the argument that contains the job's name.
  func requireJob(_ job: String?, place: String = "--job") async throws {
    guard let job, try await activity()[storedName(of: job)] == nil else { return }
    throw Complaint.missingJob(job, place: place)
  }
}

extension Complaint {
  static func noRun(
    _ id: Int64, what: String? = nil, none: String = ""
  ) -> Complaint {
    Complaint(
      .noInput, what: what ?? "There is no run \(id).", place: "run \(id)",
      next: none
        + "`\(Program.name) runs list` lists current runs, and `\(Program.name) runs history` lists ended runs."
    )
  }
}

/// Executes a command's body with the configured database's queue.
package func withQueue(_ body: (Queue) async throws -> Void) async throws {
  let database = try await Database.orExit()
  try await database.reportingErrors() {
    let connection = try await database.connect()
    try await body(Queue(Session(connection, in: database.schema)))
    await connection.close()
  }
}
