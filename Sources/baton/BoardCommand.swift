import ArgumentParser
import Challenges
import ChallengesPostgres
import Postgres

/// `baton board`.
struct BoardCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "board", abstract: "Show the boards of a group, or of all.")

  @Argument(help: "The group, by its id or its name.")
  var group: String?

  @Flag(help: "Every group.")
  var all = false

  @Option(help: "Any day of the week, YYYY-MM-DD; without it all, or the newest of a group.")
  var week: String?

  @Option(help: "check-ins or streak; without it both.")
  var type: BoardType?

  @Flag(help: "One JSON object a line.")
  var json = false

  func validate() throws {
    guard (group != nil) != all else { throw ValidationError("Name a group, or say --all.") }
  }

  func run() async throws {
    let database = try Database.orExit()
    try await complaining(about: database) {
      let connection = try await database.connect()
      let boards = Boards(connection, schema: database.schema)
      var week = try self.week.map(checkedDate)
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
        group: group, week: week, type: type?.challengeType)
      if json {
        for standing in standings { print(try standing.jsonLine) }
      } else {
        print(BoardPage(standings).text, terminator: "")
      }
      await connection.close()
    }
  }

  private func checkedDate(_ text: String) throws -> String {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    let lengths = parts.map(\.utf8.count)
    guard lengths == [4, 2, 2], parts.allSatisfy({ $0.utf8.allSatisfy { (48...57).contains($0) } })
    else {
      throw Complaint(
        .usage, what: "'\(text)' is not a date.", place: "--week",
        next: "Give any day of the week as YYYY-MM-DD, for example 2024-03-01.")
    }
    return text
  }
}

/// A board's type as it is given on the command line.
struct BoardType: ExpressibleByArgument {
  let challengeType: ChallengeType

  init?(argument: String) {
    guard let type = ChallengeType(rawValue: argument) else { return nil }
    challengeType = type
  }

  static let allValueStrings = ChallengeType.allCases.map(\.rawValue)
}
