import ArgumentParser
import Baton
import BatonJobs
import BatonPostgres
import CheckIns
import Foundation
import JobRunner
import Replay
import Synchronization

/// The `gymrats replay` command.
struct ReplayCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay", abstract: "Replay a file of check-ins on a development clock.",
    discussion: """
      The file contains `group,member,occurred_at`, plain or gzip, in any order. The schema must be empty and becomes \
      a development schema, whose clock only the replay moves. The same command continues an interrupted replay.
      """)

  @Argument(help: "The file, as `.csv` or `.csv.gz`.")
  var file: String

  @Option(help: "The first day, YYYY-MM-DD in UTC.")
  var from: String?

  @Option(help: "The day before which the replay ends, YYYY-MM-DD in UTC.")
  var to: String?

  @Option(help: "The step of the clock, a divisor of 24h, for example 15m, 1h or 24h.")
  var step = "1h"

  @Flag(help: "Fire schedules by the development clock, to close weeks and send notifications.")
  var weeks = false

  @Option(help: "A folder for boards.jsonl and notifications.jsonl; implies --weeks.")
  var export: String?

  @Option(help: "FROM..TO: days with writes only, to observe how workers catch up afterwards.")
  var outage: String?

  @Flag(help: "Report malformed lines and replay the rest.")
  var keepGoing = false

  @OptionGroup var log: LogOptions

  func run() async throws {
    let database = try await Database.orExit(for: log).acting(as: "owner")
    try await database.reportingErrors(in: log.format) {
      let options = Replay.Options(
        from: try from.map { try Day(argument: $0, "--from") },
        to: try to.map { try Day(argument: $0, "--to") }, step: try stepSeconds(),
        drivesWeeks: weeks, export: export, outage: try outageDays())
      let read = try CheckInFile.read(path: file, keepGoing: keepGoing)
      for line in read.malformed {
        Console.complain("line \(line.line) is left out: \(line.reason)\n")
      }
      try await database.connect().close()
      let replay = try Replay(
        read, options: options, jobs: Program.jobs,
        configuration: database.configuration(applicationName: "gymrats replay", isDurable: false),
        schema: database.schema, logger: log.logger)
      let began = ContinuousClock.now
      let bar = ProgressBar(of: "lines")
      let summary = try await stoppable(bar) { isStopped in
        try await replay.run(isStopped: isStopped) { done, all in bar.show(done, of: all) }
      }
      let seconds = (ContinuousClock.now - began) / .seconds(1)
      Console.write(
        "replayed \(counted(summary.recorded, "line")) in \(counted(summary.steps, "step")) of \(step), "
          + "\(seconds.formatted(.number.precision(.fractionLength(1)))) s"
          + (summary.skipped > 0
            ? "; \(counted(summary.skipped, "line", "lines")) \(summary.skipped == 1 ? "was" : "were") done before"
            : "")
          + (read.malformed.isEmpty
            ? "" : "; \(counted(read.malformed.count, "malformed line")) left out"))
    }
  }

  /// Executes the replay until the end of the file, or until a signal stops it.
  ///
  /// The first SIGINT or SIGTERM stops the replay after the current step, and the second one stops
  /// it immediately. If a step takes longer than 9.5 s after the first signal, the process ends
  /// during the step.
  private func stoppable(
    _ bar: ProgressBar, _ body: (() -> Bool) async throws -> Replay.Summary
  ) async throws -> Replay.Summary {
    let count = Mutex(0)
    let listening = await countingSignals { number in
      count.withLock { $0 = number }
      guard number > 1 else { return }
      ProgressBar.clear()
      _exit(ExitStatus.tryAgain.rawValue)
    }
    defer {
      listening.cancel()
      bar.end()
    }
    return try await body { count.withLock { $0 > 0 } }
  }

  private func outageDays() throws -> Range<Day>? {
    guard let outage else { return nil }
    let parts = outage.components(separatedBy: "..").map { Day($0) }
    guard parts.count == 2, let from = parts[0], let to = parts[1], from < to else {
      throw Complaint(
        .usage, what: "'\(outage)' is not a range of days.", place: "--outage",
        next: "Give two days; the second day must be later: 2024-03-04..2024-04-08.")
    }
    return from..<to
  }

  private func stepSeconds() throws -> Int64 {
    let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600]
    guard let last = step.last, let unit = units[last], let count = Int64(step.dropLast()),
      (1...86_400).contains(count)
    else {
      throw Complaint(
        .usage, what: "'\(step)' is not a step.", place: "--step",
        next: "Use a step that divides 24 hours, such as 15m, 1h, 6h or 24h.")
    }
    return count * unit
  }
}
