import BatonPostgres
import Foundation

/// The commands `server board USER GROUP` and `server place USER GROUP`, on the database of
/// `DATABASE_URL`.
@main struct Server {
  static func main() async throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    let environment = ProcessInfo.processInfo.environment
    guard arguments.count == 3, let address = environment["DATABASE_URL"],
      let schema = environment["BATON_SCHEMA"].flatMap(Schema.init(_:))
    else { return print("usage: DATABASE_URL=... BATON_SCHEMA=... server board|place USER GROUP") }
    let configuration = ConnectionConfiguration(address: address, applicationName: "server")
    let (user, group) = (arguments[1], arguments[2])
    for line in arguments[0] == "board"
      ? try await board(of: group, for: user, at: configuration, schema)
      : try await place(of: group, by: user, at: configuration, schema)
    { print(line) }
  }
}
