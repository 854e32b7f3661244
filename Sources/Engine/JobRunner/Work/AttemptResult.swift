import BatonJobs

/// The result of an attempt.
enum AttemptResult {
  case done(Report)
  /// The attempt failed with the associated error and decision.
  ///
  /// The decision is nil if another worker has claimed the runs.
  case undone(any Error, FailureDecision?)
  /// A run was removed because its cancellation was requested. All of the claim's runs that have no
  /// cancellation request were released.
  case cancelled
}
