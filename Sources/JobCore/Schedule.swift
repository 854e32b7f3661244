/// When a job is run by itself.
public struct Schedule: Sendable, Hashable {
  /// What becomes of occurrences that are fired late.
  public enum Missed: String, Sendable, CaseIterable {
    /// They are recorded and not run.
    case skip
    /// Of all that are due only the newest runs.
    case once
    /// Each of them runs.
    case all
  }

  /// What becomes of occurrences that are fired late.
  public let missed: Missed
}
