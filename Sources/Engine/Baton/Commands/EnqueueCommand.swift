import ArgumentParser
import BatonJobs
import BatonPostgres
import Foundation
import JobRunner

/// `baton enqueue`.
struct EnqueueCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "enqueue", abstract: "Ask for a run of a job; a worker does it.",
    discussion: """
      Appends an event like any trigger: requests of one key that wait are one run, and the job's debounce \
      applies unless a time is given. Prints the id of the run.
      """)

  @Argument(help: "The job's name, as `\(Program.name) jobs` lists it.")
  var job: String

  @Option(help: "The key of the run; without it a run of its own.")
  var key: String?

  @Option(help: "The run's payload, as JSON.")
  var payload: String?

  @Option(help: "Not before: YYYY-MM-DD or YYYY-MM-DDThh:mm:ssZ.")
  var at: String?

  @Option(name: .customLong("in"), help: "Not before this time from now: 90s, 15m, 2h30m or 7d.")
  var delay: String?

  @Option(help: "1 goes first, 9 last; without it the job's own priority.")
  var priority: Int?

  @Flag(help: "Move the run of the key to this time, priority and payload, also to a later time.")
  var replace = false

  @Flag(help: "One JSON object.")
  var json = false

  func run() async throws {
    try requireKey()
    let database = try await Database.orExit()
    try await database.reportingErrors() {
      let (instant, wait) = try time()
      let connection = try await database.connect()
      let queue = Queue(Session(connection, in: database.schema))
      // By the clock that counts, which is not this machine's.
      let runAt = if let wait { try await queue.domainTime() + wait } else { instant }
      let request = RunRequest(
        job: job, key: key, payload: payload, at: runAt, priority: priority,
        replacing: replace)
      do {
        // A job that another binary has defined is asked for all the same: that one can read it.
        if let own, key.map(isKey) ?? true {
          try await queue.check(own, key: key ?? "#1", payload: payload)
        }
        say(try await queue.enqueueByHand(request))
      } catch let error as PostgresError {
        throw complaint(error) ?? error
      }
      await connection.close()
    }
  }

  private func say(_ id: Int64) {
    guard !json else { return Console.write(#"{"job":"\#(job)","result":"enqueued","id":\#(id)}"#) }
    Console.write("\(job): enqueued \(key ?? "a run of its own") as run \(id)")
  }

  /// The instant that was asked for, or how many seconds later than now.
  private func time() throws -> (instant: Date?, wait: TimeInterval?) {
    guard at == nil || delay == nil else {
      throw Complaint(
        .usage, what: "A run has one time.", place: "--at and --in",
        next: "Nothing was enqueued. Give one of them.")
    }
    return (
      try at.map { try Date(instant: $0, place: "--at") },
      try delay.map { try Duration(text: $0, place: "--in") / .seconds(1) }
    )
  }

  /// The job, where it is this program's.
  private var own: RegisteredJob? { Program.jobs.first { $0.definition.name == job } }

  /// Known without a database, where the job is this program's own.
  private func requireKey() throws {
    guard key == nil, own?.definition.needsKey == true else { return }
    throw Complaint(
      .usage, what: "\(job) reads its keys, so a run of it needs one.", place: "--key",
      next: "Nothing was enqueued. Give the key of one run.")
  }

  private func complaint(_ error: PostgresError) -> Complaint? {
    switch error.sqlState {
    case "ZB005":
      Complaint(
        .usage, what: "There is no job '\(job)'.", place: "JOB",
        next: "`\(Program.name) jobs` lists the jobs.")
    case "ZB006" where key == nil:
      Complaint(
        .usage, what: "This run needs a key: \(error.message).", place: "--key",
        next: "Nothing was enqueued. Give the key of one run.")
    case "ZB006", .characterNotInRepertoire:
      Complaint(
        .usage, what: "A key has 1 to 256 bytes and no control characters.", place: "--key",
        next: "Nothing was enqueued. Give the key of one run.")
    case "ZB012":
      Complaint(
        .usage, what: "A priority is 1 to 9.", place: "--priority",
        next: "Nothing was enqueued. 1 goes first, 9 last; without it the job's own holds.")
    case "22P02", "22P05":
      Complaint(
        .usage, what: "The payload is not JSON that the database can hold.", place: "--payload",
        next: "Nothing was enqueued. Give a JSON value, for example '{\"n\": 1}'.")
    default: nil
    }
  }
}
