/// The policy for occurrences of a schedule that were not fired in time.
///
/// An occurrence is missed if it is fired more than 60 seconds after its time, because no worker ran, the schedule was
/// paused or the clock was moved.
///
/// Frozen: an occurrence that was missed runs or does not.
@frozen
public enum MissedOccurrences: String, Sendable, CaseIterable {
  /// Missed occurrences are recorded as skipped and do not run.
  case skip
  /// Of all due occurrences only the newest runs, however late it is.
  case once
  /// Every due occurrence runs, oldest first.
  case all
}
