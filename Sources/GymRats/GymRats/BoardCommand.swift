import ArgumentParser
import Baton
import BatonPostgres
import Challenges
import ChallengesPostgres
import CheckIns
import Foundation

/// `gymrats board`.
struct BoardCommand: AsyncParsableCommand, CheckedArguments {
  static let configuration = CommandConfiguration(
    commandName: "board", abstract: "Show the boards of a group, or of all.",
    discussion: """
      With --at they are shown as they were: values, ranks and members of that time, with the names \
      and the settings of now.
      """)

  @Argument(help: "The group, by its id or its name.")
  var group: String?

  @Flag(help: "Every group.")
  var all = false

  @Option(help: "Any day of the week, YYYY-MM-DD; without it all, or the newest of a group.")
  var week: String?

  @Option(help: "check-ins or streak; without it both.")
  var type: String?

  @Option(help: "As they were at an instant, YYYY-MM-DDThh:mm:ssZ; without --week in its own week.")
  var at: String?

  @Flag(help: "One JSON object a line.")
  var json = false

  func checkArguments() throws {
    guard group == nil || !all else {
      throw ValidationError("Name a group or say --all, not both.")
    }
    guard group != nil || all else { throw ValidationError("Name a group, or say --all.") }
    guard at == nil || group != nil else {
      throw ValidationError("--at shows the boards of one group: name it.")
    }
  }

  func run() async throws {
    let database = try await Database.orExit()
    try await database.reportingErrors() {
      var week = try self.week.map { try checkedDate($0).text }
      let type = try self.type.map { try ChallengeType(argument: $0) }
      let at = try self.at.map { try Date(instant: $0, place: "--at") }
      let connection = try await database.connect()
      if let at, let group {
        let kept = KeptWeeks(connection, schema: database.schema)
        try show(try await kept.standings(of: group, week: week, at: at, type, in: database))
        await connection.close()
        return
      }
      let boards = Boards(connection, schema: database.schema)
      if let group {
        let newest = try await boards.newestWeek(of: group)
        guard newest.groupExists else {
          throw Complaint(noGroup: group, in: database)
        }
        if week == nil, !json { week = newest.week }
      }
      try show(try await boards.standings(group: group, week: week, type: type))
      await connection.close()
    }
  }

  private func show(_ standings: [Standing]) throws {
    if json {
      for standing in standings { Console.write(try standing.fullJSONLine) }
    } else {
      Console.write(BoardPage(standings).text, terminator: "")
    }
  }
}
