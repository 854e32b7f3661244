import BatonPostgres
import Bench
import ChallengesSQL
import Foundation

/// Concurrent writers that together record 1,000 workouts per second for a list of users.
struct PacedWriters: Sendable {
  static let perSecond = 1_000
  static let count = 4

  let stage: BenchStage
  let users: [String]

  /// Returns the number of workouts in one round.
  static func workouts(_ options: BenchOptions) -> Int { perSecond * options.seconds }

  /// Records workouts as one of the concurrent writers.
  ///
  /// Each writer gets an equal share of the users and of the total rate.
  ///
  /// - Parameter wrote: A function that is called after each commit, with the id of the user who
  ///   recorded the workout.
  func write(_ writer: Int, wrote: (String) -> Void) async throws {
    let connection = try await Connection.open(stage.configuration)
    let pause = Duration.seconds(1) * Self.count / Self.perSecond
    let began = ContinuousClock.now
    let mine = stride(from: writer, to: users.count, by: Self.count).map { users[$0] }
    for turn in 0..<Self.workouts(stage.options) / Self.count {
      let user = mine[turn % mine.count]
      let record = Call.row(SQL.Demo.recordNow, user, UUID().uuidString) {
        (row) throws(PostgresError) in try row.decode(String.self)
      }
      let outcome: String = try await connection.atomically(in: stage.schema, record)
      guard outcome == "accepted" else {
        throw BenchRefusal.incomplete("a workout of \(user) was \(outcome)")
      }
      wrote(user)
      try await Task.sleep(until: began + pause * (turn + 1), clock: .continuous)
    }
    await connection.close()
  }
}
