import Foundation
import TestSupport

/// Workers that publish and close boards after the steps of a model, and are killed during this
/// work.
struct DyingWorkers {
  private let gym: Gym
  private var generator: SeededGenerator
  /// The number of killed workers with a run in progress.
  private(set) var kills = 0

  init(gym: Gym, seed: UInt64) {
    self.gym = gym
    generator = SeededGenerator(seed: seed)
  }

  /// Defines the jobs, and delays each statement that publishes, so that a kill can hit it.
  func prepare() async throws {
    try await gym.test.gymrats.succeed("migrate")
    try await gym.test.slowDown("after update", "board_version", seconds: 0.01)
  }

  /// Closes the due weeks and publishes all boards with workers.
  ///
  /// All workers except for the last one are killed.
  ///
  /// - Throws: `TestFailure` if a run is dead, or if the last worker does not end.
  mutating func work() async throws {
    try await gym.run("select enqueue('close-week', 'scheduled')")
    for _ in 0..<Int.random(in: 0...2, using: &generator) {
      let worker = try gym.test.gymrats.start(arguments)
      defer { worker.signal(SIGKILL) }
      let patience = Duration.milliseconds(Int.random(in: 0...20, using: &generator))
      guard try await isAtWork(worker) else { continue }
      try await Task.sleep(for: patience)
      worker.signal(SIGKILL)
      _ = try await worker.wait()
      kills += 1
    }
    let last = try await gym.test.gymrats.start(arguments).wait()
    guard last.status == 0 else { throw TestFailure("the last worker: \(last.errors)") }
  }

  private var arguments: [String] {
    ["worker", "--until-idle", "--jobs", "close-week,recompute-ranks"]
  }

  /// Waits until a worker has a run.
  ///
  /// The result is false if the worker ended before a run was visible.
  private func isAtWork(_ worker: TestProcess) async throws -> Bool {
    var isAtWork = false
    try await eventually("a worker at its work, or its end") {
      isAtWork =
        try await gym.lines("select count(*)::text from run where state = 'running'") != ["0"]
      return isAtWork || !worker.isRunning
    }
    return isAtWork
  }
}
