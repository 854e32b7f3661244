import ArgumentParser
import Baton
import BatonPostgres
import PresencePostgres

/// The `whosthere groups` command.
struct GroupsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "groups", abstract: "List the groups with their member counts.")

  @Flag(help: "Print one JSON object per line.")
  var json = false

  func run() async throws {
    let database = try await Database.orExit()
    try await database.reportingErrors() {
      let connection = try await database.connect()
      let list = PlaceList(connection, schema: database.schema)
      var last = ""
      while true {
        let groups = try await list.groups(after: last)
        if groups.isEmpty, last.isEmpty, !json { Console.write("no groups") }
        for group in groups { Console.write(json ? try jsonLine(group) : group.line) }
        guard groups.count == PlaceList.page, let next = groups.last?.id else { break }
        last = next
      }
      await connection.close()
    }
  }
}

/// The `whosthere group` command.
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
      let list = PlaceList(connection, schema: database.schema)
      guard let group = try await list.group(id) else {
        throw noGroup(id, in: database)
      }
      let members = try await list.members(of: id)
      await connection.close()
      Console.write(json ? try jsonLine(group) : group.line)
      for member in members { Console.write(json ? try jsonLine(member) : member.line) }
    }
  }
}

/// Returns the error message for a group that does not exist.
func noGroup(_ id: String, in database: Database) -> Complaint {
  Complaint(
    .noInput, what: "There is no group '\(id)'.", place: "\(database)",
    next: "`whosthere groups` lists them with their ids.")
}

extension ListedPlace {
  /// The group as a line of text.
  fileprivate var line: String {
    "\(id)  \(name)  \(members) of \(maxMembers)  \(timeZone)" + (isPublic ? "  public" : "")
      + (isActive ? "" : "  inactive")
  }
}

extension ListedVisitor {
  /// The member as a line of text.
  fileprivate var line: String {
    "  \(user)  \(name)  \(role) since \(joinedAt)" + (leftAt.map { "  left \($0)" } ?? "")
  }
}
