import BatonPostgres
import RunnerSQL
import Synchronization

/// A worker's counts of completed runs and batches that have not been stored yet.
///
/// The dispatcher stores the worker's counts of completed runs and batches every few seconds. If
/// each batch's transaction stored its counts, the executors would wait for the lock on the job's
/// counter row.
final class Activity: Sendable {
  private struct Done {
    var runs: Int64 = 0
    var batches: Int64 = 0
  }

  private let done = Mutex<[String: Done]>([:])
  private let lastDone = Mutex<ContinuousClock.Instant?>(nil)
  /// Called with the number of completed runs after each commit that completes runs.
  private let onDone: (@Sendable (_ runs: Int) -> Void)?

  init(onDone: (@Sendable (_ runs: Int) -> Void)? = nil) { self.onDone = onDone }

  /// The time when the last batch was completed.
  var lastDoneAt: ContinuousClock.Instant? { lastDone.withLock { $0 } }

  func record(_ job: String, runs: Int, batches: Int = 1) {
    lastDone.withLock { $0 = .now }
    add(job, runs: runs, batches: batches)
    onDone?(runs)
  }

  private func add(_ job: String, runs: Int, batches: Int) {
    done.withLock {
      $0[job, default: Done()].runs += Int64(runs)
      $0[job, default: Done()].batches += Int64(batches)
    }
  }

  /// Stores the counts of completed runs and batches.
  ///
  /// If the statement fails, the next call tries to store the same counts again.
  func write(on session: Session) async throws(PostgresError) {
    let jobs = done.withLock { done in
      defer { done = [:] }
      return done.sorted { $0.key < $1.key }
    }
    guard !jobs.isEmpty else { return }
    do {
      try await session.atomically(
        .run(
          SQL.Workers.recordActivity, jobs.map(\.key), jobs.map(\.value.runs),
          jobs.map(\.value.batches)))
    } catch {
      for (job, lost) in jobs {
        add(job, runs: Int(lost.runs), batches: Int(lost.batches))
      }
      throw error
    }
  }
}
