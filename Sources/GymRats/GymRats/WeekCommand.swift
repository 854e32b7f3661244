import ArgumentParser
import Baton
import BatonJobs
import BatonPostgres
import Challenges
import ChallengesPostgres
import Foundation
import JobRunner

/// The `gymrats week` command.
struct WeekCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "week", abstract: "List weeks; close or reopen a week.",
    subcommands: [Status.self, Close.self, Reopen.self], defaultSubcommand: Status.self)

  /// The `gymrats week status` command.
  struct Status: AsyncParsableCommand, CheckedArguments {
    static let configuration = CommandConfiguration(
      abstract: "List the weeks, and the sessions that block a close.")

    @Option(help: "The number of weeks.")
    var limit = 10

    @Option(help: "Print sessions that have locked boards for more than this many seconds.")
    var heldFor = 60

    @Flag(help: "Print one JSON object per line: the weeks, then the sessions that lock boards.")
    var json = false

    func checkArguments() throws {
      guard (1...10_000).contains(limit) else {
        throw ValidationError("--limit takes a number from 1 to 10000.")
      }
      guard (0...86_400).contains(heldFor) else {
        throw ValidationError("--held-for takes a number of seconds from 0 to 86400.")
      }
    }

    func run() async throws {
      let database = try await Database.orExit()
      try await database.reportingErrors() {
        let connection = try await database.connect()
        let list = WeekList(connection, schema: database.schema)
        let weeks = try await list.weeks(limit: limit)
        let holders = try await list.holders(for: heldFor)
        await connection.close()
        if json {
          for week in weeks { Console.write(try jsonLine(week)) }
          for holder in holders { Console.write(try jsonLine(holder)) }
        } else {
          Console.write(WeekPage(weeks, holders).text, terminator: "")
        }
      }
    }
  }

  /// The `gymrats week close` command.
  struct Close: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Close the boards of one week now, as the job close-week does.")

    @Argument(help: "The week's Monday, YYYY-MM-DD.")
    var week: String

    @Flag(help: "Print what would change, and change nothing.")
    var dryRun = false

    @Flag(help: "Print one JSON object.")
    var json = false

    @OptionGroup var log: LogOptions

    func run() async throws {
      let database = try await Database.orExit(for: log)
      try await database.reportingErrors(in: log.format) {
        let monday = try checkedMonday(week)
        let connection = try await database.connect()
        let end = try await WeekList(connection, schema: database.schema).closesAt(monday)
        await connection.close()
        guard end.isOver else {
          throw Complaint(
            .usage, what: "The week of \(week) accepts workouts until \(end.at).", place: "WEEK",
            next: "Wait until then, or shorten `grace` in the table `setting`.")
        }
      }
      try await Program.run(
        ["run", "close-week", "--key", week] + (dryRun ? ["--dry-run"] : [])
          + (json ? ["--json"] : []) + (log.verbose ? ["--verbose"] : [])
          + ["--log-format", log.format.rawValue])
    }
  }

  /// The `gymrats week reopen` command.
  struct Reopen: AsyncParsableCommand, CheckedArguments {
    static let configuration = CommandConfiguration(
      abstract: "Reopen a closed week of one group for corrections; no notifications are sent.",
      discussion: """
        Workouts that were too late now count. `close-week` closes the week again after --minutes. The \
        table week_reopening and the audit log store who reopened it and why.
        """)

    @Argument(help: "The group's id or name.")
    var group: String

    @Argument(help: "The week's Monday, YYYY-MM-DD.")
    var week: String

    @Option(help: "The reason for the reopening, which is stored.")
    var reason: String

    @Option(help: "The number of minutes until the week closes again, at most 7 days.")
    var minutes: Int64 = 60

    func checkArguments() throws {
      guard (1...10_080).contains(minutes) else {
        throw ValidationError("--minutes takes a number from 1 to 10080, which is 7 days.")
      }
      guard reason.contains(where: { !$0.isWhitespace }) else {
        throw ValidationError("--reason must say why the week is reopened; the reason is stored.")
      }
    }

    func run() async throws {
      let database = try await Database.orExit()
      try await database.reportingErrors() {
        _ = try checkedMonday(week)
        let connection = try await database.connect()
        let boards = try await WeekList(connection, schema: database.schema).reopen(
          group: group, monday: week, reason: reason, seconds: minutes * 60,
          sayWho: AuditOrigin.call)
        await connection.close()
        Console.write(
          "reopened \(counted(boards, "board")) of \(group), week of \(week), for \(minutes) min")
      }
    }
  }
}

private func checkedMonday(_ text: String) throws -> Week {
  guard let week = Week(monday: text) else {
    throw Complaint(
      .usage, what: "'\(text)' is not a Monday.", place: "WEEK",
      next: "Give the week's Monday as YYYY-MM-DD, for example 2024-03-04.")
  }
  return week
}
