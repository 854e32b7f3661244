import Postgres
import PresenceSQL

/// What the demo shows in the end: who is there, who was first, what was achieved.
struct DemoScreen {
  private let session: Session

  init(_ session: Session) { self.session = session }

  /// Prints it.
  func show() async throws {
    let groups = Call.rows(SQL.Demo.listBusiestGroups, Int64(3)) { (row) throws(PostgresError) in
      try row.decode(String.self, String.self, Int32.self, String?.self)
    }
    for (group, clock, count, first) in try await session.atomically(groups) {
      print("\n\(group), \(clock): \(count) there" + (first.map { ", \($0) came first" } ?? ""))
      let people = Call.rows(SQL.Demo.listThere, group, Int64(8)) { (row) throws(PostgresError) in
        try row.decode(String.self, String.self, String.self, String?.self)
      }
      for (name, since, source, until) in try await session.atomically(people) {
        print(
          "  \(name)  since \(since), \(source)" + (until.map { ", until \($0)" } ?? ""))
      }
    }
    let unlocks = Call.rows(SQL.Demo.listUnlocks) { (row) throws(PostgresError) in
      try row.decode(String.self, Int64.self, String.self)
    }
    print("\nachieved")
    for (title, count, first) in try await session.atomically(unlocks) {
      print("  \(title): \(count), \(first) first")
    }
  }
}
