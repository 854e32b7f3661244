import BatonJobs
import BatonPostgres
import Bench
import ChallengesSQL
import Foundation
import JobRunner
import Synchronization

/// Makes calls on separate connections while a job is running, to measure how much it delays them.
///
/// At most 200 calls per second are sent, each by a different member. During the measurement, ranks
/// are computed as in production.
struct Bystander: Sendable {
  /// The kind of calls that alternate with those that record the current week's workouts.
  enum Aside { case workoutOfLastWeek, listOfNotifications }

  /// The p99 and the maximum latency of calls, in milliseconds.
  struct Felt {
    let p99: Double
    let longest: Double
  }

  let stage: BenchStage
  let members: Int
  let aside: Aside

  /// Measures the latency of calls while no other work is running.
  func feelsAlone() async throws -> Felt {
    try await feels { try await Task.sleep(for: .seconds(stage.options.seconds)) }
  }

  /// Measures the latency of calls while `work` is running.
  func feels(during work: () async throws -> Void) async throws -> Felt {
    let worker = Worker(
      stage.jobs.filter { $0.definition.name == "recompute-ranks" }, on: stage.configuration,
      schema: stage.schema, options: Worker.Options(concurrency: 1), logger: Drain.logger)
    let end = End()
    let ranking = Task { try await worker.run() }
    let writing = Task { try await write(until: end) }
    defer { worker.stop() }
    do {
      defer { end.come() }
      // The calls start before `work`, so that connections are open and plans are cached when the
      // measurement starts.
      try await Task.sleep(for: .milliseconds(500))
      end.beginMeasuring()
      try await work()
    }
    let times = try await writing.value.sorted()
    worker.stop()
    try await ranking.value
    guard let longest = times.last else { throw BenchRefusal.incomplete("no writer ran meanwhile") }
    return Felt(p99: times[min(times.count - 1, times.count * 99 / 100)], longest: longest)
  }

  private func write(until end: End) async throws -> [Double] {
    let connection = try await Connection.open(stage.configuration)
    var times: [Double] = []
    var turn = 0
    while !end.isThere {
      turn += 1
      let began = ContinuousClock.now
      try await call(turn, on: connection)
      if end.isMeasured(began) { times.append(began.duration(to: .now) / .milliseconds(1)) }
      try await Task.sleep(until: began + .milliseconds(5), clock: .continuous)
    }
    await connection.close()
    return times
  }

  private func call(_ turn: Int, on connection: Connection) async throws {
    // The factor 7,919 makes the order of the calls differ from the order in which the job
    // processes members.
    let number = String(1 + turn * 7_919 % members)
    let user = "user-" + String(repeating: "0", count: 9 - number.count) + number
    let isAside = turn % 2 == 0
    if isAside, aside == .listOfNotifications {
      let list = Call.rows(SQL.Notifications.listNotifications, user, true, Int64(20)) {
        (row) throws(PostgresError) in
        try row.decode(String.self, String.self, String.self, Bool.self, String.self)
      }
      let session = Session(connection, in: stage.schema)
      let _: [(String, String, String, Bool, String)] = try await session.atomically(list)
      return
    }
    let record = Call.row(SQL.Bench.recordThen, user, UUID().uuidString, isAside) {
      (row) throws(PostgresError) in try row.decode(String.self)
    }
    let outcome: String = try await connection.atomically(in: stage.schema, record)
    guard outcome == "accepted" || isAside && outcome == "acceptedLate" else {
      throw BenchRefusal.incomplete("a workout of \(user) was \(outcome)")
    }
  }

  /// The start and the end of the measurement.
  private final class End: Sendable {
    private let state = Mutex<(isThere: Bool, since: ContinuousClock.Instant?)>((false, nil))

    var isThere: Bool { state.withLock { $0.isThere } }
    func come() { state.withLock { $0.isThere = true } }
    func beginMeasuring() { state.withLock { $0.since = .now } }
    func isMeasured(_ began: ContinuousClock.Instant) -> Bool {
      state.withLock { state in state.since.map { began >= $0 } ?? false }
    }
  }
}
