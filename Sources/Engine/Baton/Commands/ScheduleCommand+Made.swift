import ArgumentParser
import BatonJobs
import BatonPostgres
import Foundation
import JobRunner

extension ScheduleCommand {
  /// The `baton schedule add` command.
  struct Add: AsyncParsableCommand, CheckedArguments {
    static let configuration = CommandConfiguration(
      abstract: "Create a schedule at run time, or replace a schedule.",
      discussion: """
        When a program registers its jobs, the schedule does not change. If the new times equal the old times, \
        the next occurrence remains. If the schedule has no occurrence up to --until, nothing changes, and the command \
        exits with 64.
        """)

    @Argument(help: "The schedule, as JOB/NAME.")
    var schedule: ScheduleID

    @Option(help: "A cron expression, such as '0 6 * * mon'.")
    var cron: String?

    @Option(help: "An interval: 90s, 15m, 2h30m or 7d.")
    var every: String?

    @Option(help: "The time zone of the cron expression; default: UTC.")
    var timeZone: String?

    @Option(help: "The payload of each run, as a JSON object.")
    var payload: String?

    @Option(help: "The key of all runs; default: scheduled/NAME.")
    var key: String?

    @Option(help: "Policy for missed occurrences: skip, once or all.", transform: policy)
    var missed = MissedOccurrences.once

    @Option(help: "The last possible occurrence: YYYY-MM-DD or YYYY-MM-DDThh:mm:ssZ.")
    var until: String?

    private static func policy(_ text: String) throws -> MissedOccurrences {
      guard let policy = MissedOccurrences(rawValue: text) else {
        throw ValidationError("--missed takes skip, once or all.")
      }
      return policy
    }

    func checkArguments() throws {
      guard schedule.name != nil else {
        throw ValidationError("SCHEDULE takes JOB/NAME.")
      }
      guard (cron == nil) != (every == nil) else {
        throw ValidationError("Give either --cron or --every.")
      }
      guard timeZone == nil || cron != nil else {
        throw ValidationError("--time-zone needs --cron.")
      }
    }

    func run() async throws {
      try await withScheduler { scheduler in
        let times: ScheduleRequest.Times =
          if let every { .every(try Duration(text: every, place: "--every")) } else {
            .cron(cron ?? "", timeZone: timeZone ?? "UTC")
          }
        let request = ScheduleRequest(
          job: schedule.job, named: schedule.name ?? "", at: times, payload: payload, key: key,
          missed: missed, until: try until.map { try Date(instant: $0, place: "--until") })
        try await ScheduleCommand.values(of: schedule).reporting {
          try await scheduler.make(request)
        }
        Console.write("\(schedule): scheduled")
      }
    }
  }

  /// The `baton schedule remove` command.
  struct Remove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Remove a schedule that was created at run time; its enqueued runs remain.")

    @Argument(help: "The schedule, as JOB/NAME.")
    var schedule: ScheduleID

    func run() async throws {
      try await withScheduler { scheduler in
        try await ScheduleCommand.values(of: schedule).reporting {
          guard try await scheduler.remove(schedule) else {
            throw ScheduleProblem.missing(schedule)
          }
        }
        Console.write("\(schedule): removed")
      }
    }
  }

  /// The argument values of `schedule add` and `schedule remove`.
  fileprivate static func values(of schedule: ScheduleID) -> CheckedValues {
    CheckedValues(
      arguments: [
        "ZB005": "SCHEDULE", "ZB006": "schedule", "ZB007": "schedule", "ZB016": "schedule",
        "ZB017": "schedule", "ZB018": "schedule",
      ], job: schedule.job, payload: "a JSON object, for example '{\"tenant\": 7}'",
      outcome: "Nothing was scheduled.")
  }
}
