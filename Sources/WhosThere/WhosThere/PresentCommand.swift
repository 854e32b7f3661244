import ArgumentParser
import Baton
import BatonPostgres
import PresencePostgres

/// The `whosthere present` command.
struct PresentCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "present", abstract: "Print who is at a group's place now.")

  @Argument(help: "The group's id.")
  var group: String

  @Flag(help: "Print one JSON object per line.")
  var json = false

  func run() async throws {
    let database = try await Database.orExit()
    try await database.reportingErrors() {
      let connection = try await database.connect()
      let list = PlaceList(connection, schema: database.schema)
      guard try await list.group(group) != nil else { throw noGroup(group, in: database) }
      let present = try await list.present(in: group)
      await connection.close()
      if present.isEmpty, !json { Console.write("nobody") }
      for one in present { Console.write(json ? try jsonLine(one) : one.line) }
    }
  }
}

extension ListedPresence {
  /// The presence as a line of text.
  fileprivate var line: String {
    "\(user)  \(name)  \(source) since \(since)" + (deadline.map { "  until \($0)" } ?? "")
  }
}
