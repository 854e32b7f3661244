import BatonPostgres
import Foundation
import Synchronization
import TestSupport
import Testing

/// Moves a cell to another cluster and back while its API and its worker continue:
/// `docs/guides/scaling.md`.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct MovedCellTests {
  @Test(.sampled())
  func `a cell moves to another cluster and back under load, no call fails and none is lost`()
    async throws
  {
    let random = Randomness()
    try await MovedCell.with { cell in
      let load = WorkoutLoad(schema: cell.schema, groups: 20)
      try await load.join()
      let worker = try cell.schema.gymrats.start("worker")
      defer { worker.signal(SIGKILL) }
      let callers = Callers(load: load, random: random)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for caller in 1...4 { group.addTask { try await callers.call("caller\(caller)") } }
        group.addTask {
          defer { callers.stop() }
          do {
            try await move(cell, from: cell.home, to: cell.other, under: callers)
            try await move(cell, from: cell.other, to: cell.home, under: callers)
          } catch {
            Issue.record(error)
            throw error
          }
        }
        try await group.waitForAll()
      }
      let acknowledged = callers.acknowledged
      print("\(acknowledged.count) calls, each once")
      #expect(
        try await cell.schema.sql("select user_id || ' ' || workout_id from workout").sorted()
          == acknowledged.map { "\"\($0)\"" }.sorted())

      // The same process continues, and logs no warnings.
      try await eventually("two resyncs and the end of all runs") {
        try await cell.schema.sql(
          """
          select from job_activity
          where job = 'resync-boards' and runs = 2 and not exists (select from run)
            and exists (select from own_position) and not exists (select from unfolded_event)
          """
        ).count == 1
      }
      worker.signal(SIGTERM)
      let ended = try await worker.wait(within: .seconds(30))
      // A heartbeat waits for at most 10 s. On a busy machine, the pause for the copy can be longer.
      let wasLong = callers.longest > .seconds(9)
      let warnings = ended.errors.split(separator: "\n").filter { $0.contains(" warning ") }
      #expect(
        ended.status == 0
          && warnings.allSatisfy { wasLong && $0.contains("no response within 10 s") },
        "\(ended.errors)")
      // The runs that a schedule has created in the meantime.
      try await cell.schema.gymrats.succeed("worker", "--until-idle")
      try await load.expectBoards(of: acknowledged.count)
    }
  }

  /// Moves the cell as `docs/guides/scaling.md` describes, with some seconds of calls before and
  /// after.
  private func move(
    _ cell: MovedCell, from source: Cluster, to target: Cluster, under callers: Callers
  ) async throws {
    let done = callers.acknowledged.count
    try await eventually("calls, and a log of this cluster") {
      guard callers.acknowledged.count >= done + 150,
        try await cell.schema.sql("select from own_position").count == 1
      else { return false }
      return (try? await cell.step("check", from: source, to: target)) != nil
    }
    let began = ContinuousClock.now
    try await cell.step("pause", from: source, to: target)
    let last = try await source.nextTransaction()
    // A new client logs in now, and waits together with the other clients.
    async let newcomer: Void = callers.call("newcomer-\(done)", most: 1)
    var isLed = false
    // A pause without an end would block all clients and the test.
    defer { if !isLed { cell.pooler.kill() } }
    try await cell.step("copy", from: source, to: target)
    let copied = ContinuousClock.now - began
    #expect(try await source.nextTransaction() == last)
    let held = try await source.workouts()
    try await cell.step("retire", from: source, to: target)
    await expectSQLState(.undefinedTable) { try await source.workouts() }
    let retired = try await source.nextTransaction()
    #expect(callers.acknowledged.count <= held)
    try await cell.step("lead", from: source, to: target)
    isLed = true
    let paused = ContinuousClock.now - began
    try await newcomer
    try await eventually("calls behind the move") { callers.acknowledged.count >= held + 150 }
    #expect(try await source.nextTransaction() == retired)
    print(
      """
      moved \(held) workouts: paused for \(paused), of these \(copied) to the end of the \
      restore; the longest call so far took \(callers.longest)
      """)
  }
}

/// The calls of an API, each executed once.
///
/// Any failure fails the test.
private final class Callers: Sendable {
  private let load: WorkoutLoad
  private let random: Randomness
  private let seen = Mutex((workouts: [String](), longest: Duration.zero))
  private let isOver = Flag()

  init(load: WorkoutLoad, random: Randomness) {
    self.load = load
    self.random = random
  }

  /// The workouts whose calls were acknowledged, each with its user.
  var acknowledged: [String] { seen.withLock(\.workouts) }
  var longest: Duration { seen.withLock(\.longest) }

  func stop() { isOver.set() }

  /// Records workouts on one permanent connection, until the end or up to a maximum number.
  func call(_ name: String, most: Int = .max) async throws {
    let record = Statement("test/record", "select outcome::text from record_workout($1, $2)")
    let connection = try await load.schema.connect()
    var count = 0
    while count < most, !isOver.isSet {
      let user =
        "u\(random.number(in: 1...load.groups))-\(random.number(in: 1...load.membersPerGroup))"
      let began = ContinuousClock.now
      let outcome = try await connection.atomically(
        in: load.schema.schema,
        Call.row(record, user, "\(name)-\(count)") { (row) throws(PostgresError) in
          try row.decode(String.self)
        })
      try #require(outcome == "accepted")
      let took = ContinuousClock.now - began
      seen.withLock { seen in
        seen.workouts.append("\(user) \(name)-\(count)")
        seen.longest = max(seen.longest, took)
      }
      count += 1
    }
    await connection.close()
  }
}
