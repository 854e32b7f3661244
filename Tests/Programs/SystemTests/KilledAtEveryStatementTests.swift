import Foundation
import TestSupport
import Testing

/// Tests the executable, which is killed at one message after another, and then run again.
///
/// A proxy counts the messages of all connections, and kills the process before it forwards a
/// message. The message is a statement that the server does not get, or a response that the process
/// does not read. `BATON_EVERY_KILL_POINT=1` kills at each message, about 700 on each side of a
/// migrator. Otherwise, the kills are evenly spread.
@Suite(.timeLimit(.minutes(60)))
struct KilledAtEveryStatementTests {
  @Test(.sampled(), arguments: Randomness.sample(1, of: MessageCounter.Side.allCases))
  func `a worker killed anywhere loses nothing and does nothing twice`(
    side: MessageCounter.Side
  ) async throws {
    try await TestSchema.with { schema in
      let sweep = try await WorkerSweep(schema)
      let command = try await KilledCommand(
        "worker", "--until-idle", "--concurrency", "1", in: schema)
      defer { command.close() }
      var fallen: [String: Int] = [:]
      // The numbers are sums over all processes, because a stage may have had no work in one of
      // them.
      var heard: [String] = []
      /// Runs one process that is killed, and one that finishes. Returns whether the first was
      /// killed.
      func life(killedAt number: Int, of statement: String? = nil) async throws -> Bool {
        try await sweep.prepare()
        let life = try await command.run(killedAt: number, side, of: statement)
        heard += life.heard
        if life.killedAt != nil { try await schema.gymrats.succeed("worker", "--until-idle") }
        let place = life.killedAt ?? "its end"
        try await sweep.expectDone("killed at \(side) \(number), \(place)")
        guard let statement = life.killedAt else { return false }
        fallen[WorkerSweep.stage(of: statement), default: 0] += 1
        return true
      }
      try await sweep.prepare()
      let whole = try await command.run(side).heard
      heard += whole
      try await sweep.expectDone("without a kill")
      for number in KilledCommand.points(of: whole.count, most: 2) {
        _ = try await life(killedAt: number)
      }
      // The number of messages varies slightly. The sweep ends when a process survives.
      let beyond = whole.count + 1...whole.count + 100
      var end = beyond.lowerBound
      while try await life(killedAt: end) { end += 1 }
      #expect(beyond.contains(end))
      // These are the stages that an even spread may have missed, because no two processes are
      // identical.
      for stage in WorkerSweep.stages where fallen[stage] == nil {
        let statement = try #require(
          heard.first { WorkerSweep.stage(of: $0) == stage },
          "no message of \(stage) in \(Set(heard).sorted())")
        var isHit = false
        for _ in 1...3 where !isHit { isHit = try await life(killedAt: 1, of: statement) }
        #expect(isHit, "\(statement)")
      }
      print("worker: \(fallen) kills of \(whole.count) points, \(side)")
      for stage in WorkerSweep.stages { #expect(fallen[stage, default: 0] > 0, "\(stage)") }
    }
  }

  @Test(.sampled(), arguments: Randomness.sample(1, of: MessageCounter.Side.allCases))
  func `a worker killed at its heartbeat loses nothing`(side: MessageCounter.Side) async throws {
    try await TestSchema.with { schema in
      let sweep = try await WorkerSweep(schema)
      let command = try await KilledCommand("worker", in: schema)
      defer { command.close() }
      try await sweep.prepare()
      // The registration and each heartbeat read the server's clock as their last statement.
      let (statement, number) =
        side == .statement ? ("workers/heartbeat", 1) : ("commit after workers/read_clock", 2)
      let life = try await command.run(killedAt: number, side, of: statement)
      #expect(life.killedAt == statement)
      try await schema.gymrats.succeed("worker", "--until-idle")
      try await sweep.expectDone("killed at its heartbeat")
    }
  }

  @Test(.sampled(), arguments: Randomness.sample(1, of: MessageCounter.Side.allCases))
  func `a migrator killed anywhere is simply run again`(side: MessageCounter.Side) async throws {
    func life(
      killedAt number: Int, of statement: String? = nil
    ) async throws -> KilledCommand.Life {
      try await TestSchema.with(migrated: false) { schema in
        let command = try await KilledCommand("migrate", in: schema)
        defer { command.close() }
        let life = try await command.run(killedAt: number, side, of: statement)
        guard life.killedAt != nil else { return life }
        try await schema.gymrats.succeed("migrate")
        #expect(try await schema.gymrats.succeed("check").contains("agree"), "\(side) \(number)")
        return life
      }
    }
    let total = try await life(killedAt: .max).heard.count
    // There are at least as many points as migrations, so each migration is hit.
    try #require(total > 40)
    let points = KilledCommand.points(of: total, most: 2)
    for number in points {
      #expect(try await life(killedAt: number).killedAt != nil, "\(side) \(number) of \(total)")
    }
    // The kill is between a migration and its record, which an even spread may miss.
    #expect(try await life(killedAt: 3, of: "migrator/record_migration").killedAt != nil)
    print("migrate: killed at \(points.count) of \(total) points, \(side)")
  }
}
