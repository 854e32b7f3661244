import ArgumentParser
import Baton
import BatonPostgres
import Challenges
import ChallengesPostgres
import CheckIns

/// The `gymrats analytics` command.
struct AnalyticsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "analytics",
    abstract: "Print daily numbers of joins, workouts, invites and client reports.",
    discussion: """
      Days are in UTC. Workouts are counted in the ledger, by the day on which they were received. \
      docs/gymrats/analytics.md defines each number.
      """)

  @Option(help: "The first day, YYYY-MM-DD; default: six days before the last day.")
  var from: String?

  @Option(help: "The last day, YYYY-MM-DD; default: today.")
  var to: String?

  @Flag(
    help: "Print one JSON object per line: the days, the invites, then the cost of a recompute.")
  var json = false

  func run() async throws {
    let database = try await Database.orExit()
    try await database.reportingErrors() {
      let first = try from.map { try Day(argument: $0, "--from").number }
      let last = try to.map { try Day(argument: $0, "--to").number }
      let connection = try await database.connect()
      let analytics = Analytics(connection, schema: database.schema)
      let today = try await analytics.today()
      let end = last ?? max(today, first ?? today)
      let begin = first ?? end - 6
      guard begin <= end, end - begin < Self.mostDays else {
        throw Complaint(
          .usage,
          what: "From \(CivilDate.text(ofDay: begin)) to \(CivilDate.text(ofDay: end)) "
            + "is not a valid period.",
          place: "--from, --to",
          next: "Give a first day on or before the last day; the maximum is \(Self.mostDays) days.")
      }
      let summary = try await analytics.summary(of: begin...end)
      await connection.close()
      Console.write(json ? try summary.jsonLines : AnalyticsPage(summary).text, terminator: "")
    }
  }

  /// The maximum number of days in a range: ten years.
  private static let mostDays: Int64 = 3_660
}

extension AnalyticsSummary {
  /// The statistics as JSON lines: one line for each day, one line for invites, and one line for
  /// recomputed ranks.
  fileprivate var jsonLines: String {
    get throws {
      let lines =
        try days.map { try jsonLine($0) }
        + [try jsonLine(["invites": invites]), try jsonLine(["recompute": recompute])]
      return lines.map { $0 + "\n" }.joined()
    }
  }
}
