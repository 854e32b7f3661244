/// Everything about a job but its work.
public struct Definition: Sendable {
  /// Stored with every run: never rename it.
  public let name: String
  /// What wakes the job.
  public let trigger: Trigger
  /// How events of one key become one run.
  public let debounce: Debounce
  /// The most runs worked in one transaction.
  public let batch: Int
  /// What happens after an error.
  public let retry: Retry
  /// The longest that one transaction of the work may take, and each of its statements.
  public let timeout: Duration
  /// When it is run by itself, besides what its trigger asks for.
  public let schedule: Schedule?
  /// Whether every run that ends, done or dead, leaves a row in `run_history`.
  public let keepsHistory: Bool

  /// A definition.
  ///
  /// A bad one is a bug and stops the program: a name is 1 to 63 lower-case letters, digits and
  /// `-`; a batch has 1 to 10,000 runs; a timeout is longer than nothing.
  public init(
    _ name: String, on trigger: Trigger, debounce: Debounce, batch: Int, retry: Retry,
    timeout: Duration, schedule: Schedule? = nil, keepsHistory: Bool = false
  ) {
    precondition(Self.isName(name), "a job's name is lower-case letters, digits and -: \(name)")
    precondition((1...10_000).contains(batch), "\(name): a batch has 1 to 10,000 runs")
    precondition(timeout > .zero, "\(name): a timeout is longer than nothing")
    self.name = name
    self.trigger = trigger
    self.debounce = debounce
    self.batch = batch
    self.retry = retry
    self.timeout = timeout
    self.schedule = schedule
    self.keepsHistory = keepsHistory
  }

  private static func isName(_ name: String) -> Bool {
    (1...63).contains(name.utf8.count)
      && name.utf8.allSatisfy {
        (97...122).contains($0) || (48...57).contains($0) || $0 == UInt8(ascii: "-")
      }
  }
}
