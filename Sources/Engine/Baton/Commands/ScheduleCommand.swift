import ArgumentParser
import BatonJobs
import BatonPostgres
import Foundation
import JobRunner

/// The `baton schedule` command, which lists and controls schedules.
struct ScheduleCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schedule",
    abstract: "List, create, pause and remove schedules; backfill missed occurrences.",
    subcommands: [
      List.self, Next.self, Add.self, Remove.self, Pause.self, Resume.self, Backfill.self,
    ],
    defaultSubcommand: List.self)

  /// The `baton schedule list` command.
  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "List the schedules with their next and last occurrences.")

    @Option(help: "List only schedules of this job.")
    var job: String?

    @Flag(help: "Print one JSON object per line.")
    var json = false

    func run() async throws {
      try await withScheduler { scheduler in
        try await scheduler.list(of: job) { page, isFirst in
          try Console.write(
            page, isFirst: isFirst, json: json,
            none: job.map { "no schedules of \($0)" }
              ?? "no schedules; \(Program.migrate) registers the jobs' schedules",
            heading: [
              "SCHEDULE", "RULE", "TIME ZONE", "MISSED", "NEXT", "FIRES AT", "LAST", "FIRED AT",
              "MADE BY", "STATE",
            ], cells: cells)
        }
      }
    }

    private func cells(_ schedule: ListedSchedule) -> [String?] {
      [
        "\(schedule.id)", schedule.expression, schedule.timeZone, "\(schedule.missed)",
        schedule.nextAt, schedule.firesAt, schedule.lastAt, schedule.lastFiredAt,
        schedule.source == "sql" ? "call" : "program",
        schedule.pausedAt == nil ? "active" : "paused",
      ]
    }
  }

  /// The `baton schedule next` command.
  struct Next: AsyncParsableCommand, CheckedArguments {
    static let configuration = CommandConfiguration(
      abstract: "Print the next occurrences, one per line.",
      discussion: "The times are in UTC and do not include the schedule's delay.")

    @Argument(
      help: "JOB, or JOB/NAME of a named schedule; default: one occurrence of each schedule.")
    var schedule: ScheduleID?

    @Option(help: "The number of occurrences.")
    var count = 5

    func checkArguments() throws {
      guard (1...10_000).contains(count) else {
        throw ValidationError("--count takes a number from 1 to 10000.")
      }
    }

    func run() async throws {
      try await withScheduler { scheduler in
        if let schedule {
          for time in try await scheduler.next(count, of: schedule) { Console.write(time) }
        } else {
          try await scheduler.list { page, _ in
            for schedule in page {
              Console.write("\(schedule.id)  \(schedule.nextAt ?? "none")")
            }
          }
        }
      }
    }
  }

  /// The `baton schedule pause` command.
  struct Pause: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Skip a schedule's occurrences; the job can still be run manually.")

    @Argument(help: "JOB, or JOB/NAME of a named schedule.")
    var schedule: ScheduleID

    func run() async throws { try await ScheduleCommand.setPaused(true, schedule) }
  }

  /// The `baton schedule resume` command.
  struct Resume: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Resume a schedule; occurrences during the pause count as missed.")

    @Argument(help: "JOB, or JOB/NAME of a named schedule.")
    var schedule: ScheduleID

    func run() async throws { try await ScheduleCommand.setPaused(false, schedule) }
  }

  fileprivate static func setPaused(_ isPaused: Bool, _ schedule: ScheduleID) async throws {
    try await withScheduler { scheduler in
      guard try await scheduler.setPaused(isPaused, schedule) else {
        throw ScheduleProblem.missing(schedule)
      }
      Console.write("the schedule of \(schedule) is \(isPaused ? "paused" : "resumed")")
    }
  }

  /// The `baton schedule backfill` command.
  struct Backfill: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Fire the occurrences of a range that have not fired, one run each.",
      discussion: """
        The range excludes --to and the future. A run's key is the time of its occurrence. At most 10,000 \
        occurrences per call.
        """)

    @Argument(help: "JOB, or JOB/NAME of a named schedule.")
    var schedule: ScheduleID

    @Option(help: "The start of the time range: YYYY-MM-DD or YYYY-MM-DDThh:mm:ssZ.")
    var from: String

    @Option(help: "The end of the time range, which is not included.")
    var to: String

    @Flag(help: "Print the occurrences without firing them.")
    var dryRun = false

    @Flag(help: "Print one JSON object.")
    var json = false

    func run() async throws {
      try await withScheduler { scheduler in
        let start = Int64(try Date(instant: from, place: "--from").timeIntervalSince1970)
        let end = Int64(try Date(instant: to, place: "--to").timeIntervalSince1970)
        guard start < end else {
          throw Complaint(
            .usage, what: "The range is empty.", place: "--from and --to",
            next: "Give a --to after --from. The range excludes --to.")
        }
        let times = try await scheduler.backfill(schedule, start..<end, isDryRun: dryRun)
        if json {
          let list = times.map { "\"\($0)\"" }.joined(separator: ",")
          Console.write(
            #"{"schedule":"\#(schedule)","result":"\#(dryRun ? "dry-run" : "fired")","occurrences":[\#(list)]}"#
          )
        } else {
          for time in times { Console.write(time) }
          Console.write(
            "\(schedule): \(counted(times.count, "occurrence")) \(dryRun ? "would be fired" : "fired")"
          )
        }
      }
    }
  }
}

/// Executes a command's body with the configured database's scheduler.
func withScheduler(_ body: (Scheduler) async throws -> Void) async throws {
  let database = try await Database.orExit()
  try await database.reportingErrors() {
    let connection = try await database.connect()
    try await body(Scheduler(Session(connection, in: database.schema), jobs: Program.jobs))
    await connection.close()
  }
}

extension ScheduleID: ExpressibleByArgument {}
