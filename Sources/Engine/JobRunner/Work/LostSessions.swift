import BatonJobs
import Synchronization

/// Counts, for each run, the consecutive attempts that lost a connection of this worker.
///
/// If a run's own statement ends its server process, each attempt loses the connection. Without
/// this count, the run would be repeated without a pause. If the server process crashes, PostgreSQL
/// ends all sessions each time.
final class LostSessions: Sendable {
  /// The number of attempts that are repeated without a pause.
  ///
  /// A restart or a failover of the server costs a run one or two connections.
  private static let mostWithoutPause = 2
  /// The number of attempts from which an attempt counts as failed.
  private static let mostUncounted = 9
  private static let longestPause = Duration.seconds(60)
  /// The maximum number of remembered runs, because another worker may have completed them.
  private static let mostRuns = 100_000

  private let counts = Mutex<[Int64: Int]>([:])

  /// Counts an attempt of the given runs that lost a connection, and returns the cause of its
  /// failure.
  ///
  /// Any thread may call this method.
  func cause(of runs: [ClaimedRun]) -> FailureDecision.Cause {
    let times = note(runs)
    guard times > Self.mostWithoutPause else { return .interrupted }
    guard times <= Self.mostUncounted else { return .transient }
    let pause = Duration.seconds(1 << (times - Self.mostWithoutPause - 1))
    return .interruptedAgain(min(pause, Self.longestPause))
  }

  /// Ends the count of the given runs, because an attempt has not lost a connection.
  func forget(_ runs: [ClaimedRun]) {
    counts.withLock { counts in
      guard !counts.isEmpty else { return }
      for run in runs { counts.removeValue(forKey: run.id) }
    }
  }

  /// Returns the highest number of consecutive attempts of one run.
  private func note(_ runs: [ClaimedRun]) -> Int {
    counts.withLock { counts in
      if counts.count > Self.mostRuns { counts = [:] }
      var most = 0
      for run in runs {
        let count = counts[run.id, default: 0] + 1
        counts[run.id] = count
        most = max(most, count)
      }
      return most
    }
  }
}
