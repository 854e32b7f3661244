import BatonJobs
import BatonPostgres
import Foundation
import JobRunner

/// A job with twenty steps that stores its position, and whose process is killed once at a
/// boundary.
///
/// The key names the boundary: `before-7` ends the process before the COMMIT of the seventh step,
/// and `after-7` after that COMMIT.
struct WalkJob: StepJob {
  static let definition = Definition<Self>("walk", timeout: .seconds(30))

  struct State: StoredState {
    var position = 0
  }

  static let steps = 20

  static func step(
    _ run: Run<Self>, _ state: inout State, in path: Path
  ) async throws -> StepResult {
    try path.killOnce(at: "after-\(state.position)", of: run.key)
    state.position += 1
    try await path.note(run.id, run.key, state.position)
    try path.killOnce(at: "before-\(state.position)", of: run.key)
    run.progress(state.position, of: Self.steps)
    return state.position < Self.steps ? .more(["steps": 1]) : .done(["steps": 1])
  }
}

/// The table that the steps write to, and a folder with the boundaries at which a process was
/// killed.
struct Path: Sendable {
  let transaction: Transaction
  let folder: String

  func note(_ run: Int64, _ key: String, _ position: Int) async throws {
    try await transaction.run(
      .run(
        Statement("test/walk", "insert into walked (run, key, position) values ($1, $2, $3)"), run,
        key, Int32(position)))
  }

  func killOnce(at place: String, of key: String) throws {
    let file = URL(fileURLWithPath: folder).appending(path: key)
    guard key == place, !FileManager.default.fileExists(atPath: file.path()) else { return }
    try Data().write(to: file)
    kill(getpid(), SIGKILL)
    while true { Thread.sleep(forTimeInterval: 1) }
  }
}
