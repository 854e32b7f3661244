import ArgumentParser
import Baton
import BatonPostgres
import ChallengesPostgres

/// The `gymrats groups` command.
struct GroupsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "groups",
    abstract: "List the groups with their member counts and the states of their boards.")

  @Flag(help: "Print one JSON object per line.")
  var json = false

  func run() async throws {
    let database = try await Database.orExit()
    try await database.reportingErrors() {
      let connection = try await database.connect()
      let list = GroupList(connection, schema: database.schema)
      var last = ""
      while true {
        let groups = try await list.groups(after: last)
        if groups.isEmpty, last.isEmpty, !json { Console.write("no groups") }
        for group in groups { Console.write(json ? try jsonLine(group) : group.line) }
        guard groups.count == GroupList.page, let next = groups.last?.id else { break }
        last = next
      }
      await connection.close()
    }
  }
}

/// The `gymrats group` command.
struct GroupCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "group", abstract: "Print one group with its current and former members.")

  @Argument(help: "The group's id.")
  var id: String

  @Flag(help: "Print one JSON object per line: the group, then its members.")
  var json = false

  func run() async throws {
    let database = try await Database.orExit()
    try await database.reportingErrors() {
      let connection = try await database.connect()
      let list = GroupList(connection, schema: database.schema)
      guard let group = try await list.group(id) else {
        throw Complaint(
          .noInput, what: "There is no group '\(id)'.", place: "\(database)",
          next: "`gymrats groups` lists them with their ids.")
      }
      let members = try await list.members(of: id)
      await connection.close()
      Console.write(json ? try jsonLine(group) : group.line)
      for member in members { Console.write(json ? try jsonLine(member) : member.line) }
    }
  }
}

extension GroupSummary {
  /// The group as a line of text.
  fileprivate var line: String {
    let states = [
      (open, "open"), (settling, "settling"), (closed, "closed"), (cancelled, "cancelled"),
    ]
    let boards = states.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    return "\(id)  \(name)  \(members) of \(maxMembers)" + (isActive ? "" : "  inactive")
      + (boards.isEmpty ? "  no boards" : "  boards: " + boards.joined(separator: ", "))
  }
}

extension ListedMember {
  /// The member as a line of text.
  fileprivate var line: String {
    "  \(user)  \(name)  \(role) since \(joinedAt)" + (leftAt.map { "  left \($0)" } ?? "")
      + (isMuted ? "  muted" : "") + (sharesWorkouts ? "" : "  does not share")
  }
}
