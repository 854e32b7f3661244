import BatonJobs

/// The result of an attempt.
enum AttemptResult {
  case done(Report)
  /// The attempt failed with the associated error and decision.
  ///
  /// The decision is nil if another worker has claimed the runs.
  case undone(any Error, FailureDecision?)
  /// A run was removed because its cancellation was requested. The other runs of the claim were
  /// released.
  case cancelled
}
