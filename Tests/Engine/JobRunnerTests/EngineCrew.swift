import BatonPostgres
import Foundation
import JobTesting
import RandomJobs
import Synchronization
import TestSupport

/// The worker processes of a script.
///
/// Some of them are killed or stopped, and replaced.
final class EngineCrew: Sendable {
  private let stage: EngineStage
  private let workers = Mutex<[TestProcess]>([])

  init(stage: EngineStage) { self.stage = stage }

  func start() throws {
    for plans in stage.script.crews {
      let worker = try started(plans)
      workers.withLock { $0.append(worker) }
    }
  }

  /// Kills and stops processes, and kills connections, at their planned times.
  func kill(_ kills: [EngineScript.Kill]) async throws {
    let began = ContinuousClock.now
    for kill in kills.sorted(by: { $0.at < $1.at }) {
      try await Task.sleep(until: began + .milliseconds(kill.at), clock: .continuous)
      switch kill.victim {
      case .worker(let number): try await replace(number, by: SIGKILL)
      case .stop(let number): try await replace(number, by: SIGTERM)
      case .backend(let number): try await stage.sql(Self.terminate(number))
      }
    }
  }

  /// Kills all processes.
  func end() async throws {
    for worker in workers.withLock({ $0 }) { try await end(worker, by: SIGKILL) }
  }

  /// The logs of all workers, and the exit codes of workers that ended without a signal.
  var report: String {
    workers.withLock { $0 }.map { worker in
      let state = worker.isRunning ? "is running" : "has ended"
      return "worker \(worker.id) \(state):\n\(worker.errorsSoFar)"
    }.joined(separator: "\n")
  }

  // MARK: Parts

  /// The connections are numbered from the oldest to the newest.
  private static func terminate(_ number: Int) -> String {
    """
    select pg_terminate_backend(pid) from (
      select pid, row_number() over (order by backend_start, pid) as place, count(*) over () as sessions
      from pg_stat_activity
      where datname = current_database() and backend_type = 'client backend'
        and application_name not in ('engine-admin', 'engine-holder')) s
    where place = 1 + \(number) % sessions
    """
  }

  private func replace(_ number: Int, by signal: Int32) async throws {
    let place = number % stage.script.crews.count
    let worker = workers.withLock { $0[place] }
    try await end(worker, by: signal)
    let next = try started(stage.script.crews[place])
    workers.withLock { $0[place] = next }
    // The lease of a worker with effects ends after 18 s.
    try await stage.sql(
      """
      update worker set heartbeat_at = now() - interval '1 minute'
      where performs_effects and name like '%:\(worker.id)'
      """)
  }

  private func end(_ worker: TestProcess, by signal: Int32) async throws {
    let isKilled = signal == SIGKILL
    worker.signal(signal)
    // A stopped worker releases its runs before it ends.
    _ = try await worker.wait(within: .seconds(isKilled ? 10 : 30))
    let how = isKilled ? "killed" : "stopped"
    try await stage.sql(
      "insert into killed values (\(worker.id), clock_timestamp(), '\(how)')")
  }

  private func started(_ plans: [JobPlan]) throws -> TestProcess {
    let text = String(decoding: try JSONEncoder().encode(plans), as: UTF8.self)
    return try TestProcess(
      try BatonProgram.path(of: "CrashingWorker"), [],
      environment: BatonProgram.inherited.merging([
        "DATABASE_URL": stage.test.configuration.address,
        "BATON_SCHEMA": stage.test.schema.name, "RANDOM_JOBS": text, "POST_FILE": stage.post,
      ]) { $1 }, directory: "/")
  }
}
