import Foundation
import TestSupport
import Testing

/// Kills workers with SIGKILL repeatedly while an API writes.
///
/// Any number of workers may die during the same run. `BATON_KILLS` is the number of kills. The
/// default is 9.
@Suite(.timeLimit(.minutes(60)))
struct KillStormTests {
  private let kills = parameter("BATON_KILLS", default: 9)

  @Test(.sampled())
  func `killed workers lose nothing, repeat nothing, and others have their runs at once`()
    async throws
  {
    try await TestSchema.with { schema in
      // The requirement is one second.
      try await rage(on: schema, kills: kills, limit: .seconds(2))
    }
  }

  @Test(.enabled(if: TestSize.isFull, "a storm behind a pooler: make test-all"))
  func `behind a pooler, where nobody sees them die, within the time of a heartbeat`()
    async throws
  {
    try await PgBouncer.with(poolSize: 20) { pooler in
      try await TestSchema.with(at: pooler.address) { schema in
        // The requirement is twenty seconds.
        try await rage(on: schema, kills: max(4, kills / 8), limit: .seconds(22))
      }
    }
  }

  private func rage(on schema: TestSchema, kills: Int, limit: Duration) async throws {
    let random = Randomness()
    let load = WorkoutLoad(schema: schema)
    try await load.join()
    try await load.slowDown(milliseconds: 40)
    let storm = KillStorm(schema: schema, random: random, wanted: kills)
    let steady = try schema.gymrats.start("worker")
    defer { steady.signal(SIGKILL) }
    let workouts = try await withThrowingTaskGroup(of: Int.self) { group in
      let isOver = Flag()
      group.addTask {
        try await load.record(writers: 3, random, pause: .milliseconds(20)) { isOver.isSet }
      }
      group.addTask {
        defer { isOver.set() }
        try await storm.rage(abreast: 3)
        return 0
      }
      return try await group.reduce(0, +)
    }
    steady.signal(SIGTERM)
    let ended = try await steady.wait(within: .seconds(30))
    #expect(ended.status == 0, "\(ended.errors)")
    try await schema.gymrats.succeed("worker", "--until-idle")
    // No run is dead, because each run succeeds in an undisturbed attempt.
    try await load.expectBoards(of: workouts)
    let held = storm.recoveries.count
    print(
      "\(storm.killed) kills, \(held) with runs in hand, beside \(workouts) workouts; \(random)")
    #expect(storm.killed >= kills)
    // About three of ten kills hit a random moment, and one of eight in the other case.
    #expect(held * 3 >= storm.killed, "\(held) of \(storm.killed) kills hit runs in hand")
    storm.recoveries.expect(p99: limit, "from a kill until others have the runs")
  }
}
