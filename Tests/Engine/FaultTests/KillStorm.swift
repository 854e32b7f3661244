import BatonPostgres
import Foundation
import Synchronization
import TestSupport
import Testing

/// Workers that are started, live for a while that nobody can foresee, and are killed.
final class KillStorm: Sendable {
  /// From a kill until every run that the worker held is done, or claimed by another worker.
  let recoveries = Samples()
  private let schema: TestSchema
  private let random: Randomness
  private let wanted: Int
  private let count = Mutex(0)

  init(schema: TestSchema, random: Randomness, wanted: Int) {
    self.schema = schema
    self.random = random
    self.wanted = wanted
  }

  var killed: Int { count.withLock { $0 } }

  /// Whether as many were killed as wanted, half of them with runs in hand.
  ///
  /// A busy machine makes a run's few milliseconds hard to hit: then more are killed, but not for ever.
  private var isOver: Bool {
    killed >= wanted && (recoveries.count * 2 >= killed || killed >= 4 * wanted)
  }

  /// Kills as many workers as wanted, so many of them living at a time.
  func rage(abreast: Int) async throws {
    try await withThrowingTaskGroup { group in
      for _ in 0..<abreast {
        group.addTask { [self] in
          let connection = try await schema.connect()
          // A storm does not begin with an aim: the first of each is killed at any moment.
          try await killOne(seenBy: connection, withRuns: false)
          while !isOver {
            // Most hit a worker with runs in hand, the others one at any moment of its life.
            try await killOne(seenBy: connection, withRuns: random.number(in: 1...8) > 1)
          }
          await connection.close()
        }
      }
      try await group.waitForAll()
    }
  }

  private func killOne(seenBy connection: Connection, withRuns: Bool) async throws {
    let worker = try schema.gymrats.start("worker")
    defer { worker.signal(SIGKILL) }
    var id = ""
    try await eventually("the worker's entry") {
      guard worker.isRunning else { throw TestFailure("a worker ended: \(worker.errorsSoFar)") }
      id = try await entry(of: worker, connection)
      return !id.isEmpty
    }
    if withRuns {
      let deadline = ContinuousClock.now + .seconds(3)
      try await eventually("runs in hand") {
        try await !held(by: id, connection).isEmpty || ContinuousClock.now > deadline
      }
    } else {
      try await Task.sleep(for: .milliseconds(random.number(in: 0...800)))
    }
    try #require(worker.isRunning, "\(worker.errorsSoFar)")
    worker.signal(SIGKILL)
    let began = ContinuousClock.now
    guard try await worker.wait().status == 128 + SIGKILL else {
      throw TestFailure("a worker ended by itself: \(worker.errorsSoFar)")
    }
    count.withLock { $0 += 1 }
    let runs = try await held(by: id, connection)
    guard !runs.isEmpty else { return }
    try await eventually("the runs of a killed worker", within: .seconds(60)) {
      // Claimed again and released in between is ready again: that is not recovered, and seldom.
      try await connection.sql(
        """
        select count(*) from run
        where id = any (array[\(runs.joined(separator: ","))]::bigint[])
          and (state = 'ready' or worker = '\(id)')
        """, in: schema.schema) == ["0"]
    }
    recoveries.add(since: began)
  }

  private func entry(of worker: TestProcess, _ connection: Connection) async throws -> String {
    try await connection.sql(
      "select id from worker where name like '%:\(worker.id)'", in: schema.schema
    ).first ?? ""
  }

  /// The runs that a worker, living or dead, was given.
  private func held(by id: String, _ connection: Connection) async throws -> [String] {
    try await connection.sql(
      "select id from run where state = 'running' and worker = '\(id)'", in: schema.schema)
  }
}
