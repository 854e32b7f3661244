import BatonPostgres
import RunnerSQL
import Synchronization

/// What the executors of a worker have done since it was last written down.
///
/// It is written by the dispatcher every few seconds, not by the work transactions: a counter row
/// for each job would make the executors wait for each other.
final class Activity: Sendable {
  private struct Done {
    var runs: Int64 = 0
    var batches: Int64 = 0
  }

  private let done = Mutex<[String: Done]>([:])
  private let lastDone = Mutex<ContinuousClock.Instant?>(nil)
  /// Told of each batch that was done, after its commit.
  private let onDone: (@Sendable (_ runs: Int) -> Void)?

  init(onDone: (@Sendable (_ runs: Int) -> Void)? = nil) { self.onDone = onDone }

  /// When the last batch was done.
  var lastDoneAt: ContinuousClock.Instant? { lastDone.withLock { $0 } }

  func record(_ job: String, runs: Int) {
    lastDone.withLock { $0 = .now }
    add(job, runs: runs, batches: 1)
    onDone?(runs)
  }

  private func add(_ job: String, runs: Int, batches: Int) {
    done.withLock {
      $0[job, default: Done()].runs += Int64(runs)
      $0[job, default: Done()].batches += Int64(batches)
    }
  }

  /// Writes down what was done; it is kept for the next time where that fails.
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
