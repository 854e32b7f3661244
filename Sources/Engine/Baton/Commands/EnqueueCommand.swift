import ArgumentParser
import BatonJobs
import BatonPostgres
import Foundation
import JobRunner

/// The `baton enqueue` command, which enqueues a run.
struct EnqueueCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "enqueue", abstract: "Enqueue a run of a job.",
    discussion: """
      The command appends an event, like a trigger. Waiting calls with the same key become one run. The job's debounce applies \
      unless a time is given. Prints the run's id.
      """)

  @Argument(help: "The job's name, as `\(Program.name) jobs` lists it.")
  var job: String

  @Option(
    help:
      "The key of the run. Some jobs require a key. Without a key, the run is never merged.")
  var key: String?

  @Option(help: "The payload, as JSON.")
  var payload: String?

  @Option(help: "Earliest start: YYYY-MM-DD or YYYY-MM-DDThh:mm:ssZ.")
  var at: String?

  @Option(name: .customLong("in"), help: "Delay before the start: 90s, 15m, 2h30m or 7d.")
  var delay: String?

  @Option(help: "The priority, from 1 (most urgent) to 9; default: the job's priority.")
  var priority: Int?

  @Flag(
    help:
      "Replace time, priority and payload of the waiting run with this key, even by a later time.")
  var replace = false

  @Flag(help: "Print one JSON object.")
  var json = false

  func run() async throws {
    try requireKey()
    let database = try await Database.orExit()
    try await database.reportingErrors() {
      let (instant, wait) = try time()
      let connection = try await database.connect()
      let queue = Queue(Session(connection, in: database.schema))
      // The duration of `--in` is added to the database's domain time, because this machine's clock
      // may differ from the database's clock.
      let runAt = if let wait { try await queue.domainTime() + wait } else { instant }
      let request = RunRequest(
        job: job, key: key, payload: payload, at: runAt, priority: priority,
        replacing: replace)
      try await values.reporting {
        // If this binary does not define the job, the run is enqueued without a payload check.
        if let own, key.map(isKey) ?? true {
          try await queue.check(own, key: key ?? "#1", payload: payload)
        }
        say(try await queue.enqueueByHand(request))
      }
      await connection.close()
    }
  }

  private func say(_ id: Int64) {
    guard !json else { return Console.write(#"{"job":"\#(job)","result":"enqueued","id":\#(id)}"#) }
    Console.write("\(job): enqueued \(key ?? "a run of its own") as run \(id)")
  }

  /// Returns the time from `--at` or the seconds from `--in`.
  private func time() throws -> (instant: Date?, wait: TimeInterval?) {
    guard at == nil || delay == nil else {
      throw Complaint(
        .usage, what: "--at and --in exclude each other.", place: "--at and --in",
        next: "Nothing was enqueued. Give only one of the two options.")
    }
    return (
      try at.map { try Date(instant: $0, place: "--at") },
      try delay.map { try Duration(text: $0, place: "--in") / .seconds(1) }
    )
  }

  /// The job, or nil if this program does not define the job.
  private var own: RegisteredJob? { Program.jobs.first { $0.definition.isNamed(job) } }

  /// Checks the key without a database, if this program defines the job.
  private func requireKey() throws {
    guard key == nil, let own, own.definition.needsKey else { return }
    throw Complaint(
      .usage, what: "\(job) requires a key for each run.", place: "--key",
      next: "Nothing was enqueued. Give a key that is \(own.keyForm).")
  }

  private var values: CheckedValues {
    CheckedValues(
      arguments: [
        "ZB005": "JOB", "ZB006": "--key", "ZB007": "--payload", "ZB008": "--at or --in",
        "ZB012": "--priority", "ZB016": "JOB",
      ], job: job, payload: "a JSON value, for example '{\"n\": 1}'",
      outcome: "Nothing was enqueued.")
  }
}
