import ArgumentParser
import Baton
import BatonPostgres
import Challenges
import ChallengesPostgres
import CheckIns

/// `gymrats analytics`.
struct AnalyticsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "analytics",
    abstract: "Sum up by day who joined, what came of workouts and invites, what phones report.",
    discussion: """
      Days are UTC's. Workouts are counted in the ledger, which is read whole. docs/gymrats/analytics.md says what \
      each number means.
      """)

  @Option(help: "The first day, YYYY-MM-DD; without it six days before the last one.")
  var from: String?

  @Option(help: "The last day, YYYY-MM-DD; without it today.")
  var to: String?

  @Flag(help: "One JSON object a line: the days, then the invites, then what a recompute costs.")
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
            + "is no span of days.",
          place: "--from, --to",
          next: "Give a first day that is not behind the last one; \(Self.mostDays) days at most.")
      }
      let summary = try await analytics.summary(of: begin...end)
      await connection.close()
      Console.write(json ? try summary.jsonLines : AnalyticsPage(summary).text, terminator: "")
    }
  }

  /// Ten years.
  private static let mostDays: Int64 = 3_660
}

extension AnalyticsSummary {
  /// A line for each day, one for the invites, one for a recompute.
  fileprivate var jsonLines: String {
    get throws {
      let lines =
        try days.map { try jsonLine($0) }
        + [try jsonLine(["invites": invites]), try jsonLine(["recompute": recompute])]
      return lines.map { $0 + "\n" }.joined()
    }
  }
}
