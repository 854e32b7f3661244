import BatonJobs
import BatonPostgres

/// The part of an error that is compared between failures of distinct runs.
///
/// Error texts are not compared, because they often contain a key or a number.
struct FailureReason: Sendable, Hashable, CustomStringConvertible {
  /// The SQLSTATE, or the name of the error's type.
  let description: String
  /// Whether the run itself is probably not the cause of the failure.
  ///
  /// The value is true if a table or column is missing, or if the server lacks a resource.
  let isCommonAtOnce: Bool
  /// Whether a batch that fails for this reason is retried as a whole before it is split.
  let isTransient: Bool

  /// Creates the failure reason for an error.
  ///
  /// The initializer returns nil for errors that do not reveal anything about the job's other runs,
  /// such as a ``Snooze``.
  init?(_ error: any Error) {
    switch error {
    case is Permanent, is Snooze, is RetryAfter, is Interrupted, is Cancelled, is FailedRuns:
      return nil
    case let error as PostgresError:
      let state = error.sqlState
      let saysNothing: [SQLState] = [.claimLost, .endlessChain, .inFailedTransaction]
      guard !saysNothing.contains(state) else { return nil }
      description = "SQLSTATE \(state.code)"
      isCommonAtOnce =
        state == .undefinedTable || state == .undefinedColumn || state.code.hasPrefix("53")
      isTransient = state.isTransient
    default:
      description = "\(type(of: error))"
      isCommonAtOnce = false
      isTransient = false
    }
  }
}
