import ArgumentParser
import Baton
import BatonPostgres
import Challenges
import ChallengesPostgres
import ChallengesServer
import CheckIns
import ProductKit

/// The `gymrats explain-rank` command.
struct ExplainRankCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain-rank",
    abstract:
      "Explain a member's rank: the workouts that count, and the members with a better rank.",
    discussion: """
      The command derives everything from the ledger and compares it with the boards. It prints a line for each \
      difference; `gymrats verify --fix` repairs them.
      """)

  @Argument(help: "The member's user id or name.")
  var member: String

  @Option(help: "A group's id; default: the member's current group.")
  var group: String?

  @Option(help: "Any day of the week, YYYY-MM-DD; default: the current week.")
  var week: String?

  @Option(help: "check-ins or streak; default: both.")
  var type: String?

  @Flag(help: "Print one JSON object per line, one for each board.")
  var json = false

  func run() async throws {
    let database = try await Database.orExit()
    try await database.reportingErrors() {
      let day = try week.map { try checkedDate($0).text }
      let types = try type.map { [try ChallengeType(argument: $0)] } ?? ChallengeType.allCases
      let connection = try await database.connect()
      let weeks = KeptWeeks(connection, schema: database.schema)
      let user = try await foundUser(in: weeks, database)
      guard let group = self.group ?? user.group else {
        throw Complaint(
          .noInput, what: "\(user.title) is not a member of a group now.", place: "\(database)",
          next: "With --group, name a group to which the user belonged.")
      }
      var list = try await explanations(of: user, group, day, types, weeks, database)
      if list.contains(where: { !$0.differences.isEmpty }) {
        // A comparison can miss an event if a segment of the event log is truncated while the
        // comparison is running. A missed event can look like a difference, so a comparison that
        // finds a difference is repeated once.
        list = try await explanations(of: user, group, day, types, weeks, database)
      }
      await connection.close()
      if list.isEmpty, !json {
        Console.write("no boards: no member has recorded a workout of that week")
      }
      for (index, one) in list.enumerated() {
        if index > 0, !json { Console.write("") }
        Console.write(json ? try jsonLine(one) : ExplanationPage(one).text)
      }
    }
  }

  private func foundUser(in weeks: KeptWeeks, _ database: Database) async throws -> FoundUser {
    let users = try await weeks.users(named: member)
    guard let user = users.first else {
      throw Complaint(
        .noInput, what: "There is no user '\(member)'.", place: "\(database)",
        next: "`gymrats group ID` lists the members of a group with their ids.")
    }
    guard users.count == 1 else {
      throw Complaint(
        .usage, what: "\(users.count) users are called '\(member)'.", place: "\(database)",
        next: "Give one of these ids: \(users.prefix(10).map(\.id).joined(separator: ", ")).")
    }
    return user
  }

  private func explanations(
    of user: FoundUser, _ group: String, _ day: String?, _ types: [ChallengeType],
    _ weeks: KeptWeeks, _ database: Database
  ) async throws -> [RankExplanation] {
    guard let kept = try await weeks.week(of: group, holding: day, explaining: user.id) else {
      throw Complaint(noGroup: group, in: database)
    }
    guard kept.members.contains(where: { $0.user.hasSameBytes(as: user.id) }) else {
      throw Complaint(
        .noInput, what: "\(user.title) was never a member of group '\(group)'.",
        place: "\(database)", next: "`gymrats group \(group)` lists current and former members.")
    }
    return types.compactMap { RankExplanation(of: user.id, on: $0, in: kept) }
  }
}

extension FoundUser {
  /// The user's name and id as text.
  fileprivate var title: String { name == id ? id : "\(name) (\(id))" }
}
