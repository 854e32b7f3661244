import Foundation
import Synchronization
import TestSupport

/// A worker with a supervisor that behaves like systemd with the packaged unit.
///
/// Before each start, the program migrates. One second after each end, the worker starts again,
/// unless its exit code requires a person.
final class WorkerUnit: Sendable {
  /// The exit codes of `RestartPreventExitStatus=` in the unit.
  private static let endsForGood: Set<Int32> = [64, 66, 77, 78]

  let name: String
  private let arguments: [String]
  private let environment: [String: String]
  private let state: Mutex<State>

  private struct State {
    var program: String
    var worker: TestProcess?
    var isStopping = false
    /// Whether the test has ended the current worker.
    var isExpected = false
    var starts = 0
    var logged = 0
    var problems: [String] = []
  }

  /// - Parameters:
  ///   - program: the path of the installed program.
  ///   - arguments: the arguments of `worker`.
  init(
    _ name: String, _ program: String, _ arguments: [String], _ environment: [String: String]
  ) {
    self.name = name
    self.arguments = arguments
    self.environment = BatonProgram.inherited.merging(environment) { $1 }
    state = Mutex(State(program: program))
  }

  /// The ends that the test did not cause, and the exit codes that require a person.
  var problems: [String] { state.withLock(\.problems) }
  /// The log of the running worker.
  var errors: String { state.withLock(\.worker)?.errorsSoFar ?? "" }
  var starts: Int { state.withLock(\.starts) }
  /// Whether the worker runs, and the test has not ended it.
  var isUp: Bool { state.withLock { $0.worker?.isRunning == true && !$0.isExpected } }
  /// The process id of the worker, or nil if no worker runs.
  var process: Int32? { state.withLock(\.worker)?.id }
  /// The number of bytes that ended workers have logged.
  var logged: Int { state.withLock(\.logged) }

  /// Supervises the worker until ``stop()``.
  func run() async throws {
    while !state.withLock(\.isStopping) {
      if try await migrate(), !(try await work()) { return }
      try await Task.sleep(for: .seconds(1))
    }
  }

  /// Migrates, and returns whether the program may start.
  private func migrate() async throws -> Bool {
    let program = state.withLock(\.program)
    let ended = try await TestProcess(
      program, ["migrate"], environment: environment, directory: "/"
    ).wait(within: .seconds(300))
    note(ended.errors)
    // If the server is unreachable, the supervisor tries again.
    if Self.endsForGood.contains(ended.status) {
      state.withLock { $0.problems.append("\(name): migrate \(ended.status): \(ended.errors)") }
    }
    return ended.status == 0
  }

  /// Runs the worker to its end, and returns whether the worker starts again.
  private func work() async throws -> Bool {
    let worker = try start()
    while worker.isRunning { try await Task.sleep(for: .milliseconds(50)) }
    let ended = try await worker.wait()
    note(ended.errors)
    return state.withLock { state in
      state.worker = nil
      if !state.isExpected || state.isStopping && ended.status != 0 {
        state.problems.append("\(name): \(ended.status): \(ended.errors)")
      }
      state.isExpected = false
      return !state.isStopping && !Self.endsForGood.contains(ended.status)
    }
  }

  private func start() throws -> TestProcess {
    let program = state.withLock(\.program)
    let pipe = environment["LOG_PIPE"] == nil ? "" : " 2>\"$LOG_PIPE\""
    let worker = try TestProcess(
      "/bin/bash", ["-c", "exec \"$0\" \"$@\"" + pipe, program, "worker"] + arguments,
      environment: environment, directory: "/")
    state.withLock { state in
      state.worker = worker
      state.starts += 1
      if state.isStopping { worker.signal(SIGTERM) }
    }
    return worker
  }

  private func note(_ log: String) { state.withLock { $0.logged += log.utf8.count } }

  // MARK: Operator

  /// Ends the worker, so that the supervisor starts it again with this program.
  func restart(from program: String? = nil, with signal: Int32 = SIGTERM) {
    state.withLock { state in
      if let program { state.program = program }
      state.isExpected = state.worker != nil
      state.worker?.signal(signal)
    }
  }

  /// Ends the worker permanently.
  func stop() {
    state.withLock { $0.isStopping = true }
    restart()
  }

  /// Kills the worker of a test that has failed.
  func kill() {
    state.withLock { $0.isStopping = true }
    restart(with: SIGKILL)
  }
}
