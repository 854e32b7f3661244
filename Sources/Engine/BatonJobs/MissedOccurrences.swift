/// The policy for schedule occurrences that did not fire in time.
///
/// An occurrence is missed if it fires more than 60 seconds late. An occurrence can be late because
/// no worker was running, the schedule was paused, or the clock was moved.
///
/// The enumeration is frozen, because no other case is possible.
@frozen
public enum MissedOccurrences: String, Sendable, CaseIterable {
  /// The missed occurrences do not run and are recorded as skipped.
  case skip
  /// Only the newest due occurrence runs, regardless of its delay.
  case once
  /// Every due occurrence runs, oldest first.
  case all
}
