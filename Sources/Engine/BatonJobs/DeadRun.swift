/// The payload of an event on ``Topic/runDied``, which describes one dead run.
///
/// A job that subscribes to ``Topic/runDied`` declares the payload as its only property, `died`:
///
/// ```swift
/// struct TellOperator: BatchJob {
///   static let definition = Definition<Self>("tell-operator", on: [.event(.runDied)])
///
///   let died: DeadRun
/// }
/// ```
public struct DeadRun: Codable, Sendable, Hashable {
  /// The run's id, which is also the event's key.
  ///
  /// The `runs show` and `runs retry` commands accept this id.
  public let id: Int64
  /// The name of the run's job.
  public let job: String
  /// The run's key.
  public let key: String
  /// The number of attempts that the run used.
  public let attempts: Int
  /// The first 2,000 characters of the last attempt's error.
  public let error: String

  /// Creates a dead run, for tests of a job.
  public init(id: Int64, job: String, key: String, attempts: Int, error: String) {
    self.id = id
    self.job = job
    self.key = key
    self.attempts = attempts
    self.error = error
  }
}
