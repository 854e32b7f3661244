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

  /// One of them: its share of the groups, in turn, at its share of the pace.
  ///
  /// A group is come back to after half a second at the earliest: what is measured is how soon a change is seen, not how long a
  /// debounce holds the second one of a group.
  ///
  /// - Parameters:
  ///   - stay: seconds until a check-in ends by itself; nil: each user checks out half a second later.
  ///   - wrote: called with the group and the user of each change, when the commit was answered.
  func write(
    _ writer: Int, stay: Int32?, wrote: (_ group: String, _ user: String) -> Void
  ) async throws {
    let connection = try await Connection.open(stage.configuration)
    let pause = Duration.seconds(1) * Self.count / perSecond
    let began = ContinuousClock.now
    let half = stay == nil ? min(perSecond / Self.count / 2, own(writer)) : nil
    for turn in 0..<turns(half: half) {
      let (number, isIn) = visit(turn, half: half)
      let (user, group) = person(writer, number)
      let change = Call.row(
        SQL.Bench.changePresence, user, group, isIn, UUID().uuidString, stay
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

  /// How many groups are a writer's own.
  private func own(_ writer: Int) -> Int { (groups - writer + Self.count - 1) / Self.count }

  /// How many changes a writer makes: whoever came has gone at the end.
  private func turns(half: Int?) -> Int {
    let all = perSecond * stage.options.seconds / Self.count
    guard let half else { return all }
    return all / (2 * half) * 2 * half
  }

  /// Which of a writer's people comes or goes in a turn: those of half a second come, and then the same ones go.
  private func visit(_ turn: Int, half: Int?) -> (number: Int, isIn: Bool) {
    guard let half else { return (turn, true) }
    return (turn / half / 2 * half + turn % half, turn / half % 2 == 0)
  }

  /// A writer's people: one of each of its groups, then the other of each.
  private func person(_ writer: Int, _ number: Int) -> (user: String, group: String) {
    let own = own(writer)
    let group = number % own * Self.count + writer
    return ("u-\(group * 2 + number / own % 2 + 1)", "g-\(group + 1)")
  }
}
