import ArgumentParser
import JobCore
import JobRunner
import Postgres

/// `baton enqueue`.
struct EnqueueCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "enqueue", abstract: "Ask for a run of a job; a worker does it.",
    discussion: "Appends an event like any trigger, so the job's debounce applies.")

  @Argument(help: "The job's name, as `\(Program.name) jobs` lists it.")
  var job: String

  @Option(help: "The key of the run.")
  var key: String

  @Option(help: "The run's payload, as JSON.")
  var payload: String?

  func run() async throws {
    let database = try Database.orExit()
    try await complaining(about: database) {
      let connection = try await database.connect()
      let queue = Queue(Session(connection, in: database.schema))
      do {
        // A job that another binary has defined is asked for all the same: that one can read it.
        if let own = Program.jobs.first(where: { $0.definition.name == job }), isKey(key) {
          try await queue.check(own, key: key, payload: payload)
        }
        try await queue.enqueue(job, key: key, payload: payload)
      } catch let error as PostgresError {
        throw complaint(error) ?? error
      }
      print("\(job): enqueued \(key)")
      await connection.close()
    }
  }

  private func complaint(_ error: PostgresError) -> Complaint? {
    switch error.sqlState {
    case "ZB005":
      Complaint(
        .usage, what: "There is no job '\(job)'.", place: "JOB",
        next: "`\(Program.name) jobs` lists the jobs.")
    case "ZB006", .characterNotInRepertoire:
      Complaint(
        .usage, what: "A key has 1 to 256 bytes and no control characters.", place: "--key",
        next: "Nothing was enqueued. Give the key of one run.")
    case "22P02", "22P05":
      Complaint(
        .usage, what: "The payload is not JSON that the database can hold.", place: "--payload",
        next: "Nothing was enqueued. Give a JSON value, for example '{\"n\": 1}'.")
    default: nil
    }
  }
}
