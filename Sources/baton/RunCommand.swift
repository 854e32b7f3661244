import ArgumentParser
import ChallengesPostgres
import Foundation
import JobCore
import JobRunner
import Postgres

/// `baton run`.
struct RunCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Work a job now, in the foreground, beside any workers.",
    discussion: """
      With --key: that key, debounce and backoff aside; waits up to 10 s while it runs elsewhere. \
      Without: what is ready and due. --dry-run does the real work in a transaction, shows what it \
      changed, and rolls it back.
      """)

  @Argument(help: "The job's name, as `baton jobs` lists it.")
  var job: String

  @Option(help: "The key of one run.")
  var key: String?

  @Flag(help: "Show what would change, and change nothing.")
  var dryRun = false

  @Flag(help: "One JSON object.")
  var json = false

  @OptionGroup var log: LogOptions

  func run() async throws {
    let database = try Database.orExit()
    try await complaining(about: database) {
      let registered = try RegisteredJob.named(job, place: "JOB")
      if let key { try checkKey(key) }
      try await database.connect().close()
      let foreground = Foreground(
        registered, on: database.configuration(applicationName: "baton run"),
        schema: database.schema, logger: log.logger)
      if dryRun {
        try await rehearse(foreground)
      } else if let key {
        try report(try await foreground.work(key: key))
      } else {
        try report(try await foreground.workDue())
      }
    }
  }

  private func report(_ result: Foreground.Result) throws {
    switch result {
    case .done(let runs, _):
      print(
        json
          ? #"{"job":"\#(job)","result":"\#(runs == 0 ? "nothing" : "done")","runs":\#(runs)}"#
          : runs == 0
            ? "\(job): nothing to do" : "\(job): \(runs) \(runs == 1 ? "run" : "runs") done")
    case .alreadyRunning:
      throw Complaint(
        .tryAgain, what: "The run is already running.", place: "\(job), key \(key ?? "")",
        next: "It was waited for 10 s. Try again when it has ended; `baton runs list` shows it.")
    case .snoozed(let wait, let reason):
      throw Complaint(
        .tryAgain, what: "The job is not to be done yet\(reason.map { ": \($0)" } ?? ".")",
        place: "\(job)", next: "It is due again in \(wait); a worker does it then.")
    case .failed(let error):
      throw Complaint(
        .dead, what: "The work failed and was rolled back: \(error)", place: "\(job)",
        next: "It is tried again as the job defines; `baton runs list` shows when.")
    }
  }

  // MARK: Dry run

  private func rehearse(_ foreground: Foreground) async throws {
    let outcome = try await foreground.rehearse(key: key) { transaction, keys in
      try await Boards.standings(of: keys, in: transaction)
    }
    guard let outcome else {
      print("\(job): nothing to do")
      return
    }
    if json {
      let changes = outcome.changes.map {
        #"{"table":"\#($0.table)","inserted":\#($0.inserted),"updated":\#($0.updated),"#
          + #""deleted":\#($0.deleted)}"#
      }
      print(
        #"{"job":"\#(job)","result":"dry-run","runs":\#(outcome.keys.count),"#
          + #""changes":[\#(changes.joined(separator: ","))]}"#)
      return
    }
    print("\(job): \(outcome.keys.count) runs; nothing was changed. It would write:")
    for change in outcome.changes {
      print(
        "  \(change.table): \(change.inserted) inserted, \(change.updated) updated, "
          + "\(change.deleted) deleted")
    }
    print("\nbefore\n\(BoardPage(outcome.before).text)\nafter\n\(BoardPage(outcome.after).text)")
  }

  private func checkKey(_ key: String) throws {
    guard (1...256).contains(key.utf8.count), !key.utf8.contains(where: { $0 < 32 || $0 == 127 })
    else {
      throw Complaint(
        .usage, what: "A key has 1 to 256 bytes and no control characters.", place: "--key",
        next: "Give the key of one run; for recompute-ranks that is the id of a challenge.")
    }
  }
}
