import BatonPostgres
import Bench
import Foundation
import JobRunner
import PresenceSQL

/// Concurrent writers that change presences at a fixed rate.
///
/// Each writer changes the presences of different users.
struct PlaceWriters: Sendable {
  static let count = 4

  let stage: BenchStage
  /// The total number of changes per second by all writers.
  let perSecond: Int
  /// The number of groups, each with two members.
  let groups: Int

  /// The option for the number of groups in a benchmark.
  static let groups = BenchSize("groups", 10_000, quick: 200, "groups, with two members each")

  /// Creates groups and members.
  ///
  /// Each member has a visit on the previous day, so that the measured changes update existing
  /// rows.
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

  /// Changes presences as one of the concurrent writers.
  ///
  /// Each writer gets an equal share of the groups and of the total rate.
  ///
  /// Half of the changes are check-ins, and half are check-outs of users who checked in half a
  /// second earlier. The benchmark measures the delay of each change separately. A user checks in
  /// to a group only after the debounce of the group's previous change has ended.
  ///
  /// - Parameters:
  ///   - stay: The number of seconds until the automatic check-out, or nil if each user checks out
  ///     manually.
  ///   - wrote: A function that receives each change's group and user after the commit.
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

  /// Returns which user a writer changes in a turn, and whether the user checks in or checks out.
  ///
  /// A writer makes one change in each turn.
  ///
  /// The first turns are check-ins, the following turns alternate between check-ins and check-outs,
  /// and the last turns are check-outs.
  private func change(_ turn: Int, of writer: Int) -> (number: Int, isIn: Bool) {
    let people = perSecond * stage.options.seconds / Self.count / 2
    let there = min(perSecond / Self.count / 2, own(writer), people)
    if turn < there { return (turn, true) }
    if turn >= 2 * people - there { return (turn - people, false) }
    let (pair, second) = (turn - there).quotientAndRemainder(dividingBy: 2)
    return second == 0 ? (pair + there, true) : (pair, false)
  }

  /// Returns the number of groups that belong to a writer.
  private func own(_ writer: Int) -> Int { (groups - writer + Self.count - 1) / Self.count }

  /// Returns the member with the given number among the members of a writer's groups.
  ///
  /// The first members of all groups have the lowest numbers, followed by the second members.
  private func person(_ writer: Int, _ number: Int) -> (user: String, group: String) {
    let own = own(writer)
    let group = number % own * Self.count + writer
    return ("u-\(group * 2 + number / own % 2 + 1)", "g-\(group + 1)")
  }
}
