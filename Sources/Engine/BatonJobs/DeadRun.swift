/// A run that died, as an event on ``Topic/runDied`` tells of it.
///
/// A job on that topic has it as its property `died`, and nothing else:
///
/// ```swift
/// struct TellOperator: BatchJob {
///   static let definition = Definition<Self>("tell-operator", on: [.event(.runDied)])
///
///   let died: DeadRun
/// ```
public struct DeadRun: Codable, Sendable, Hashable {
  /// The run's id, by which `runs show` and `runs retry` find it; the key of the event.
  public let id: Int64
  /// The name of its job.
  public let job: String
  /// Its key.
  public let key: String
  /// How many attempts it had.
  public let attempts: Int
  /// Why it died; the first 2,000 characters.
  public let error: String

  /// A dead run, as a test of a job may make it.
  public init(id: Int64, job: String, key: String, attempts: Int, error: String) {
    self.id = id
    self.job = job
    self.key = key
    self.attempts = attempts
    self.error = error
  }
}
