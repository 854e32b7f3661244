import BatonJobs
import Synchronization

/// Counts, for each key of a job, the consecutive attempts that lost a connection of this worker.
///
/// If a run's own statement ends its server process, each attempt loses the connection. Without
/// this count, the run would be repeated without a pause. If the server process crashes, PostgreSQL
/// ends all sessions each time.
///
/// A committed step of a run does not end the count of its key, because each attempt can commit a
/// step and then lose the connection.
final class LostSessions: Sendable {
  /// The number of attempts that are repeated without a pause.
  ///
  /// A restart or a failover of the server costs a run one or two connections.
  private static let mostWithoutPause = 2
  /// The number of attempts from which an attempt counts as failed.
  private static let mostUncounted = 9
  private static let longestPause = Duration.seconds(60)
  /// The maximum number of remembered keys, because another worker may have completed their runs.
  private static let mostKeys = 100_000

  private let counts = Mutex<[RunSubject: Int]>([:])

  /// Counts an attempt of a claim that lost a connection, and returns the cause of its failure.
  ///
  /// Any thread may call this method.
  func cause(of claim: Claim) -> FailureDecision.Cause {
    let times = note(claim)
    guard times > Self.mostWithoutPause else { return .interrupted }
    guard times <= Self.mostUncounted else { return .transient }
    let pause = Duration.seconds(1 << (times - Self.mostWithoutPause - 1))
    return .interruptedAgain(min(pause, Self.longestPause))
  }

  /// Ends the count of the claim's keys, because an attempt has not lost a connection.
  func forget(_ claim: Claim) {
    counts.withLock { counts in
      guard !counts.isEmpty else { return }
      for run in claim.runs { counts.removeValue(forKey: RunSubject(run, of: claim)) }
    }
  }

  /// Returns the highest number of consecutive attempts of one key.
  private func note(_ claim: Claim) -> Int {
    counts.withLock { counts in
      if counts.count > Self.mostKeys { counts = [:] }
      var most = 0
      for run in claim.runs {
        let subject = RunSubject(run, of: claim)
        let count = counts[subject, default: 0] + 1
        counts[subject] = count
        most = max(most, count)
      }
      return most
    }
  }
}
