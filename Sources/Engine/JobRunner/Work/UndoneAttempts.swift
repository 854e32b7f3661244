import BatonJobs
import Synchronization

/// For each key of a job, counts the attempts that did not end a run.
///
/// A drain does not wait for backoffs. Without a limit, a drain might never end if a run always
/// fails or always postpones itself.
final class UndoneAttempts: Sendable {
  private let most: Int
  private let state = Mutex(State())

  private struct State {
    var counts: [RunSubject: Int] = [:]
    var endless: EndlessRun?
  }

  /// Creates a counter.
  ///
  /// - Parameter most: the number of attempts after which a run is considered endless.
  init(most: Int) { self.most = most }

  /// Records that an attempt has returned the runs of `part` to the queue.
  ///
  /// Any thread may call this method.
  func note(_ part: Claim, because reason: String) {
    state.withLock { state in
      for run in part.runs {
        let subject = RunSubject(run, of: part)
        let count = state.counts[subject, default: 0] + 1
        state.counts[subject] = count
        guard count >= most, state.endless == nil else { continue }
        state.endless = EndlessRun(
          id: run.id, job: part.job.definition.name, key: run.key, attempts: count, reason: reason)
      }
    }
  }

  /// Ends the counts of the keys of `part`, because its runs have ended.
  func forget(_ part: Claim) {
    state.withLock { state in
      for run in part.runs { state.counts.removeValue(forKey: RunSubject(run, of: part)) }
    }
  }

  /// Throws an error if a run has had too many attempts.
  func check() throws(EndlessRun) {
    if let endless = state.withLock({ $0.endless }) { throw endless }
  }
}

/// A run that a drain has attempted too often.
package struct EndlessRun: Error, Sendable, Equatable {
  /// The run's id.
  package let id: Int64
  /// The job's name.
  package let job: String
  package let key: String
  /// The number of attempts in this drain.
  package let attempts: Int
  /// The reason why the last attempt did not end the run.
  package let reason: String
}
