import BatonPostgres
import Bench
import Foundation
import JobRunner
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

  /// Makes groups and members, each of whom was there yesterday, as `visible` has a workout of each.
  static func prepare(_ stage: BenchStage) async throws {
    let groups = Int64(stage.options[groups])
    try await stage.run(.run(SQL.Bench.makePlaces, groups, Int64(2)))
    try await stage.run(.run(SQL.Bench.joinPlaces, groups, Int64(2)))
    try await stage.run(.run(SQL.Bench.arriveToday))
    try await stage.define(stage.jobs)
    _ = try await TableTriggers(stage.schema, of: WhosThere.name, jobs: stage.jobs)
      .migrate(stage.connection)
    try await stage.run(.run(SQL.Bench.stayYesterday))
    try await stage.settle()
  }

  /// One of them: its share of the groups, in turn, at its share of the pace.
  ///
  /// Half of the changes are check-ins, the others are check-outs of users who came half a second before. So no user
  /// returns to a group during its debounce: the benchmark measures how soon a change is seen.
  ///
  /// - Parameters:
  ///   - stay: seconds until a check-in ends by itself; nil: each user checks out again.
  ///   - wrote: called with the group and the user of each change, when the commit was answered.
  func write(
    _ writer: Int, stay: Int32?, wrote: (_ group: String, _ user: String) -> Void
  ) async throws {
    let connection = try await Connection.open(stage.configuration)
    let pause = Duration.seconds(1) * Self.count / perSecond
    let began = ContinuousClock.now
    for turn in 0..<perSecond * stage.options.seconds / Self.count {
      let (number, isIn) = stay == nil ? change(turn, of: writer) : (turn, true)
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

  /// The changes of one turn of a writer: first some users come, then one comes and one goes by turns, then the rest
  /// go.
  private func change(_ turn: Int, of writer: Int) -> (number: Int, isIn: Bool) {
    let people = perSecond * stage.options.seconds / Self.count / 2
    let there = min(perSecond / Self.count / 2, own(writer), people)
    if turn < there { return (turn, true) }
    if turn >= 2 * people - there { return (turn - people, false) }
    let (pair, second) = (turn - there).quotientAndRemainder(dividingBy: 2)
    return second == 0 ? (pair + there, true) : (pair, false)
  }

  /// How many groups are a writer's own.
  private func own(_ writer: Int) -> Int { (groups - writer + Self.count - 1) / Self.count }

  /// A writer's people: one of each of its groups, then the other of each.
  private func person(_ writer: Int, _ number: Int) -> (user: String, group: String) {
    let own = own(writer)
    let group = number % own * Self.count + writer
    return ("u-\(group * 2 + number / own % 2 + 1)", "g-\(group + 1)")
  }
}
