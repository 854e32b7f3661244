import Bench
import Foundation
import JobRunner
import Postgres
import PresenceSQL

/// Writers who change presences at a pace, each of users of its own.
struct PlaceWriters: Sendable {
  static let count = 4

  let stage: BenchStage
  /// Changes a second, of all writers together.
  let perSecond: Int
  /// Groups, each with two members.
  let groups: Int

  /// The size of the cases: how many groups there are.
  static let groups = BenchSize("groups", 10_000, quick: 200, "groups, with two members each")

  /// Makes groups and members.
  static func prepare(_ stage: BenchStage) async throws {
    let groups = Int64(stage.options[groups])
    try await stage.run(.run(SQL.Bench.makePlaces, groups, Int64(2)))
    try await stage.run(.run(SQL.Bench.joinPlaces, groups, Int64(2)))
    try await stage.define(stage.jobs)
    _ = try await TableTriggers(stage.schema, of: WhosThere.name, jobs: stage.jobs)
      .migrate(stage.connection)
    try await stage.settle()
  }

  /// One of them: its share of the users, in turn, at its share of the pace.
  ///
  /// - Parameters:
  ///   - stay: seconds until a check-in ends by itself; nil: each user checks in and out again.
  ///   - wrote: called with the group and the user of each change, when the commit was answered.
  func write(
    _ writer: Int, stay: Int32?, wrote: (_ group: String, _ user: String) -> Void
  ) async throws {
    let connection = try await Connection.open(stage.configuration)
    let pause = Duration.seconds(1) * Self.count / perSecond
    let began = ContinuousClock.now
    let mine = Array(stride(from: writer, to: groups * 2, by: Self.count))
    for turn in 0..<perSecond * stage.options.seconds / Self.count {
      let number = mine[(stay == nil ? turn / 2 : turn) % mine.count]
      let (user, group) = ("u-\(number + 1)", "g-\(number / 2 + 1)")
      let change = Call.row(
        SQL.Bench.changePresence, user, group, stay != nil || turn % 2 == 0,
        UUID().uuidString, stay
      ) { (row) throws(PostgresError) in try row.decode(String.self) }
      let outcome: String = try await connection.atomically(in: stage.schema, change)
      guard outcome == "accepted" else {
        throw BenchRefusal.incomplete("a command of \(user) was \(outcome)")
      }
      wrote(group, user)
      try await Task.sleep(until: began + pause * (turn + 1), clock: .continuous)
    }
    await connection.close()
  }
}
