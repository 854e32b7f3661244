import BatonPostgres
import ChallengesSQL
import TestSupport
import Testing

/// Rule 23: the boards are equal to the oracle's boards, regardless of the order of the workouts.
@Suite(.serialized, .timeLimit(.minutes(10)), .bothWaysAtFullSize)
struct ConfluenceTests {
  private static let day: Int64 = 86_400_000_000
  private static let hour: Int64 = 3_600_000_000
  /// Monday, 2020-01-06.
  private static let firstMonday: Int64 = 1_578_268_800_000_000

  /// One workout of a set.
  private struct Workout {
    let id: String
    let instant: Int64
    let offset: Int32
  }

  /// Workouts that arrive together, and the time at which they arrive.
  private struct Arrival {
    let clock: Int64
    let workouts: [Workout]
  }

  /// Returns a member's workouts in two acceptance windows.
  ///
  /// Many of them are close to changes of weeks and dates.
  private static func arrivals(
    of set: Int, using generator: inout SeededGenerator
  ) -> [Arrival] {
    let edge = firstMonday + Int64(set) * 28 * day
    var home = Int32.random(in: -48...56, using: &generator) * 900
    return [edge, edge + 6 * day].enumerated().map { phase, middle in
      let clock = middle + Int64.random(in: 0...(3 * day), using: &generator)
      var last = middle
      let instants = (0..<Int.random(in: 2...9, using: &generator)).map { _ in
        let around = Int.random(in: 0..<5, using: &generator)
        last =
          switch around {
          case 0: middle + Int64.random(in: -3...3, using: &generator)
          case 1: middle + Int64.random(in: -15...15, using: &generator) * hour
          case 2: middle + Int64.random(in: -4...2, using: &generator) * day
          // The distance is just within a bridge or just outside it.
          case 3: last + Int64.random(in: -4...3, using: &generator) * hour / 4 - 30 * hour
          default: clock - Int64.random(in: 0...(7 * day), using: &generator)
          }
        return last
      }
      let workouts = instants.enumerated().map { index, instant in
        // Some workouts follow a flight, often across the date line.
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: home = Int32.random(in: -48...56, using: &generator) * 900
        case 1: home = home > 0 ? max(home - 86_400, -43_200) : min(home + 86_400, 50_400)
        default: break
        }
        let accepted = min(max(instant, clock - 7 * day), clock)
        return Workout(id: "\(phase)-\(index)", instant: accepted, offset: home)
      }
      return Arrival(clock: clock, workouts: workouts)
    }
  }

  private static func call(_ user: String, _ workouts: [Workout]) -> Call<[String]> {
    .rows(
      SQL.Replay.recordLines, workouts.map { _ in user }, workouts.map(\.id),
      workouts.map { Timestamp(microseconds: $0.instant) }, workouts.map(\.offset)
    ) { (row) throws(PostgresError) in
      try row.decode(String.self, String.self, String.self).1
    }
  }

  /// Returns the entries of a member, without the names of the user and the group.
  private static func entries(_ gym: Gym, of user: String) async throws -> [String] {
    try await gym.lines(
      """
      select concat_ws(' ', c.week_start, c.type, e.value, e.reached_at, e.joined_at)
      from entry e join challenge c on c.id = e.challenge_id
      where e.user_id = '\(user)' order by c.week_start, c.type
      """)
  }

  /// Returns the oracle's values by week and type, in the order of ``entries(_:of:)``.
  private static func oracle(_ arrivals: [Arrival]) -> [String] {
    let lines = arrivals.flatMap(\.workouts).map {
      CheckInLine(
        group: [103], member: [109], instant: $0.instant, utcOffset: Int($0.offset), line: 0)
    }
    return Oracle.boards(of: lines).map { "\($0.weekStart) \($0.type.rawValue) \($0.value)" }
  }

  private func join(_ gym: Gym, _ user: String, _ arrivals: [Arrival]) async throws {
    let joined = arrivals.flatMap(\.workouts).map(\.instant).min() ?? 0
    try await gym.join(user, user)
    try await gym.connection.atomically(
      in: gym.schema,
      .run(
        Statement("test/joined", "update member set joined_at = $2 where user_id = $1"), user,
        Timestamp(microseconds: joined)))
  }

  private func stand(_ gym: Gym, at clock: Int64) async throws {
    try await gym.connection.atomically(
      in: gym.schema,
      .run(
        Statement("test/clock", "update development set clock = $1"),
        Timestamp(microseconds: clock)))
  }

  /// Records a set once in each order, with one user for each order.
  ///
  /// Returns each user's entries.
  private func record(
    _ arrivals: [Arrival], _ set: Int, in gym: Gym, _ others: [Connection],
    using generator: inout SeededGenerator
  ) async throws -> [[String]] {
    let users = (0..<4).map { "\(set)-\($0)" }
    for user in users { try await join(gym, user, arrivals) }
    for arrival in arrivals {
      try await stand(gym, at: arrival.clock)
      for user in users.dropLast() {
        let order = arrival.workouts.shuffled(using: &generator)
        let refused = try await gym.connection.atomically(in: gym.schema, Self.call(user, order))
        #expect(refused == [])
      }
      let order = arrival.workouts.shuffled(using: &generator)
      try await concurrently(order, by: users[3], in: gym, others)
    }
    var found: [[String]] = []
    for user in users { found.append(try await Self.entries(gym, of: user)) }
    return found
  }

  /// Every connection records its part at the same time, with one transaction for each workout.
  private func concurrently(
    _ workouts: [Workout], by user: String, in gym: Gym, _ connections: [Connection]
  ) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (index, connection) in connections.enumerated() {
        let share = workouts.enumerated().filter { $0.offset % connections.count == index }
        group.addTask {
          for (_, workout) in share {
            let refused = try await connection.atomically(
              in: gym.schema, Self.call(user, [workout]))
            #expect(refused == [])
          }
        }
      }
      try await group.waitForAll()
    }
  }

  @Test(.sampled()) func `boards do not depend on the order of arrival`() async throws {
    let random = Randomness()
    var generator = random.generator
    let sets = (0..<(TestSize.isFull ? 160 : 60)).map { Self.arrivals(of: $0, using: &generator) }
    let orders = generator
    try await Gym.open(at: "2000-01-01") { gym in
      var generator = orders
      var others: [Connection] = []
      for _ in 0..<3 { others.append(try await gym.test.connect()) }
      for (number, arrivals) in sets.enumerated() {
        let found = try await record(arrivals, number, in: gym, others, using: &generator)
        let values = found[0].map { $0.split(separator: " ").prefix(3).joined(separator: " ") }
        #expect(values == Self.oracle(arrivals), "\(random), set \(number)")
        for other in found.dropFirst() {
          #expect(other == found[0], "\(random), set \(number)")
        }
      }
      for other in others { await other.close() }
    }
  }
}
