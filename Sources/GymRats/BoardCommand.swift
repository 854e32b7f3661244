import ArgumentParser
import Baton
import Challenges
import ChallengesPostgres
import Postgres
import Replay

/// `baton board`.
struct BoardCommand: AsyncParsableCommand, CheckedArguments {
  static let configuration = CommandConfiguration(
    commandName: "board", abstract: "Show the boards of a group, or of all.")

  @Argument(help: "The group, by its id or its name.")
  var group: String?

  @Flag(help: "Every group.")
  var all = false

  @Option(help: "Any day of the week, YYYY-MM-DD; without it all, or the newest of a group.")
  var week: String?

  @Option(help: "check-ins or streak; without it both.")
  var type: String?

  @Flag(help: "One JSON object a line.")
  var json = false

  func checkArguments() throws {
    guard group == nil || !all else {
      throw ValidationError("Name a group or say --all, not both.")
    }
    guard group != nil || all else { throw ValidationError("Name a group, or say --all.") }
  }

  func run() async throws {
    let database = try Database.orExit()
    try await complaining(about: database) {
      var week = try self.week.map(checkedDate)
      let type = try self.type.map(checkedType)
      let connection = try await database.connect()
      let boards = Boards(connection, schema: database.schema)
      if let group {
        let newest = try await boards.newestWeek(of: group)
        guard newest.groupExists else {
          throw Complaint(
            .noInput, what: "There is no group '\(group)'.", place: "\(database)",
            next: "`baton board --all` shows every group with a board.")
        }
        if week == nil, !json { week = newest.week }
      }
      let standings = try await boards.standings(
        group: group, week: week, type: type)
      if json {
        for standing in standings { print(try standing.fullJSONLine) }
      } else {
        print(BoardPage(standings).text, terminator: "")
      }
      await connection.close()
    }
  }

  private func checkedDate(_ text: String) throws -> String {
    guard let day = Day(text) else {
      throw Complaint(
        .usage, what: "'\(text)' is not a date.", place: "--week",
        next: "Give any day of the week as YYYY-MM-DD, for example 2024-03-01.")
    }
    return day.text
  }

  private func checkedType(_ text: String) throws -> ChallengeType {
    guard let type = ChallengeType(rawValue: text) else {
      throw Complaint(
        .usage, what: "'\(text)' is not a type of board.", place: "--type",
        next: "Use \(ChallengeType.allCases.map(\.rawValue).joined(separator: " or ")).")
    }
    return type
  }
}
