import Foundation
import TestSupport

/// Workers that publish and close what a model's steps have left to do, and are killed at it.
struct DyingWorkers {
  private let gym: Gym
  private var generator: SeededGenerator
  /// Those that had a run in hand.
  private(set) var kills = 0

  init(gym: Gym, seed: UInt64) {
    self.gym = gym
    generator = SeededGenerator(seed: seed)
  }

  /// Defines the jobs, and makes each statement that publishes take long enough to be met.
  func prepare() async throws {
    try await gym.test.gymrats.succeed("migrate")
    try await gym.test.slowDown("after update", "board_version", seconds: 0.01)
  }

  /// Closes the weeks that are due and publishes all boards, by workers of which none but the last lives.
  ///
  /// - Throws: `TestFailure` where a run is dead, or the last worker does not end.
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

  /// Waits until a worker has a run; false where it ended before anybody saw one.
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
