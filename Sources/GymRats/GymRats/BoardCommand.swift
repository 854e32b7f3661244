import ArgumentParser
import Baton
import BatonPostgres
import Challenges
import ChallengesPostgres
import CheckIns
import Foundation

/// The `gymrats board` command.
struct BoardCommand: AsyncParsableCommand, CheckedArguments {
  static let configuration = CommandConfiguration(
    commandName: "board", abstract: "Print the boards of one group or of all groups.",
    discussion: """
      With --at, the command prints values, ranks and members as they were at that time, with today's names and settings.
      """)

  @Argument(help: "The group's id or name.")
  var group: String?

  @Flag(help: "Print the boards of every group.")
  var all = false

  @Option(
    help: "Any day of the week, YYYY-MM-DD; default: all weeks, or the latest week of a group.")
  var week: String?

  @Option(help: "check-ins or streak; default: both.")
  var type: String?

  @Option(
    help:
      "The boards as they were at this time, YYYY-MM-DDThh:mm:ssZ; default for --week: the week of that time."
  )
  var at: String?

  @Flag(help: "Print one JSON object per line.")
  var json = false

  func checkArguments() throws {
    guard group == nil || !all else {
      throw ValidationError("Give a group or --all, not both.")
    }
    guard group != nil || all else { throw ValidationError("Give a group or --all.") }
    guard at == nil || group != nil else {
      throw ValidationError("--at shows the boards of one group: give the group.")
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
      try await boards.inPages(group: group, week: week, type: type) { pages in
        guard json else { return try await writeText(pages) }
        try await writeLines(pages)
      }
      await connection.close()
    }
  }

  private func writeLines(_ pages: StandingPages) async throws {
    while true {
      let page = try await pages.next()
      guard !page.isEmpty else { return }
      for standing in page { Console.write(try standing.fullJSONLine) }
    }
  }

  /// Writes the boards as text, one board at a time.
  ///
  /// The pages are read twice: first to find the longest name, and then to write the boards.
  private func writeText(_ pages: StandingPages) async throws {
    var width: Int?
    try await pages.forEachBoard { board in width = max(width ?? 0, board.width) }
    guard let width else { return Console.write(BoardPage.none, terminator: "") }
    try await pages.rewind()
    var separator = ""
    try await pages.forEachBoard { board in
      Console.write(separator + board.text(width: width), terminator: "")
      separator = "\n"
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

extension StandingPages {
  /// Reads the remaining pages, and calls `body` for each board.
  fileprivate func forEachBoard(_ body: (BoardText) -> Void) async throws {
    var parts = BoardParts()
    while true {
      let page = try await next()
      guard !page.isEmpty else { break }
      for board in parts.add(page) { body(board) }
    }
    for board in parts.end() { body(board) }
  }
}
