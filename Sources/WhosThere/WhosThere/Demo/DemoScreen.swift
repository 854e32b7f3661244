import Baton
import BatonPostgres
import PresenceSQL

/// The last screen of the demo, with the present users, the first arrivals and the achievements.
struct DemoScreen {
  private let session: Session

  init(_ session: Session) { self.session = session }

  /// Prints the screen.
  func show() async throws {
    let groups = Call.rows(SQL.Demo.listBusiestGroups, Int64(3)) { (row) throws(PostgresError) in
      try row.decode(String.self, String.self, Int32.self, String?.self)
    }
    let busiest: [(String, String, Int32, String?)] = try await session.atomically(groups)
    for (group, clock, count, first) in busiest {
      Console.write(
        "\n\(group), \(clock): \(count) there" + (first.map { ", \($0) came first" } ?? ""))
      for line in try await people(in: group) { Console.write("  \(line)") }
    }
    let unlocks = Call.rows(SQL.Demo.listUnlocks) { (row) throws(PostgresError) in
      try row.decode(String.self, Int64.self, String.self)
    }
    let achieved: [(String, Int64, String)] = try await session.atomically(unlocks)
    Console.write("\nachieved")
    for (title, count, first) in achieved { Console.write("  \(title): \(count), \(first) first") }
  }

  private func people(in group: String) async throws -> [String] {
    let list = Call.rows(SQL.Demo.listThere, group, Int64(8)) { (row) throws(PostgresError) in
      let (name, since, source, until) = try row.decode(
        String.self, String.self, String.self, String?.self)
      return "\(name)  since \(since), \(source)" + (until.map { ", until \($0)" } ?? "")
    }
    return try await session.atomically(list)
  }
}
