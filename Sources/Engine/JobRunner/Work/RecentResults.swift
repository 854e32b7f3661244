import Foundation

/// The recent successes and failures of a job in one worker.
///
/// If all runs of a job succeed, three failures in a row show that something has changed. If a
/// tenth of the runs fail, three failures in a row are chance: they occur after each hundredth
/// failure. The job would then stop again and again, although most of its runs succeed.
struct RecentResults {
  /// The probability at which a row of failures does not count as chance.
  private static let chance = 1e-6
  /// The number of results after which older results count half.
  private static let most = 200.0

  private var successes = 0.0
  private var failures = 0.0

  /// Adds successful runs, and the failures in a row before them.
  mutating func addSuccess(of runs: Int, after failures: Int) {
    successes += Double(runs)
    addFailures(failures)
  }

  /// Adds failures that do not count as a proof, because of a success.
  mutating func addFailures(_ count: Int) {
    failures += Double(count)
    while successes + failures > Self.most {
      successes /= 2
      failures /= 2
    }
  }

  /// The number of failures in a row that are not chance, at least 3.
  ///
  /// The number is the smallest n for which the share of failures to the power of n is at most
  /// one in a million. Without results, the share counts as one in a hundred, so the number is 3.
  /// If nearly all of the latest results are failures, the number can be a few thousand.
  var enough: Int {
    let share = (failures + 0.01) / (failures + successes + 1)
    let length = (log(Self.chance) / log(share)).rounded(.up)
    return max(Int(length), FailingJob.enough)
  }
}
