/// The payload of an event on ``Topic/runDied``: one run that died.
///
/// A job on that topic declares it as its only property, `died`:
///
/// ```swift
/// struct TellOperator: BatchJob {
///   static let definition = Definition<Self>("tell-operator", on: [.event(.runDied)])
///
///   let died: DeadRun
/// }
/// ```
public struct DeadRun: Codable, Sendable, Hashable {
  /// The run's id, for `runs show` and `runs retry`; also the key of the event.
  public let id: Int64
  /// The name of the run's job.
  public let job: String
  /// The run's key.
  public let key: String
  /// The number of attempts that the run had.
  public let attempts: Int
  /// The error of the last attempt; its first 2,000 characters.
  public let error: String

  /// Creates a dead run, for the test of a job.
  public init(id: Int64, job: String, key: String, attempts: Int, error: String) {
    self.id = id
    self.job = job
    self.key = key
    self.attempts = attempts
    self.error = error
  }
}
