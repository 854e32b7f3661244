/// The error that is thrown if abandoned effects occupy all slots of a job's executor.
///
/// After this error, the process must be restarted.
package struct LostExecutors: Error, Sendable, CustomStringConvertible {
  /// The job's name.
  package let job: String

  /// A message for users and logs.
  package var description: String {
    "all concurrent effects of \(job) were cancelled and do not end"
  }
}
