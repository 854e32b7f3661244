import BatonPostgres
import Foundation
import Synchronization
import TestSupport
import Testing

/// Workers that are started, live for a random time, and are killed.
final class KillStorm: Sendable {
  /// The times from a kill until every run of the worker is done or is claimed by another worker.
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

  /// Whether enough workers were killed, and half of them had runs in progress.
  ///
  /// On a busy machine, a run of a few milliseconds is hard to hit. In that case, more workers are
  /// killed, up to a limit.
  private var isOver: Bool {
    killed >= wanted && (recoveries.count * 2 >= killed || killed >= 4 * wanted)
  }

  /// Kills the requested number of workers, with a fixed number of living workers at a time.
  func rage(abreast: Int) async throws {
    try await withThrowingTaskGroup { group in
      for _ in 0..<abreast {
        group.addTask { [self] in
          let connection = try await schema.connect()
          // The first worker of each task is killed at a random moment, because a storm has no
          // target at first.
          try await killOne(seenBy: connection, withRuns: false)
          while !isOver {
            // Most kills hit a worker with runs in progress. The other kills hit a worker at a
            // random moment.
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
      let deadline = ContinuousClock.now + .seconds(3) * patience
      try await eventually("runs in hand") {
        if try await !held(by: id, connection).isEmpty {
          // On a busy machine, the worker could end its runs before the kill.
          worker.signal(SIGSTOP)
          if try await !held(by: id, connection).isEmpty { return true }
          worker.signal(SIGCONT)
        }
        return ContinuousClock.now > deadline
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
      // A run that was claimed and released again in between is ready again. Such a run does not
      // count as recovered, but it is rare.
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

  /// Returns the runs that a living or dead worker has claimed.
  private func held(by id: String, _ connection: Connection) async throws -> [String] {
    try await connection.sql(
      "select id from run where state = 'running' and worker = '\(id)'", in: schema.schema)
  }
}
