/// A job: what wakes it, how often at most, how it is retried, and what it does to a batch.
///
/// One value is one run; its stored properties are the payload. A batch is worked in one database
/// transaction that also completes the runs, so its effects happen exactly once or not at all.
public protocol BatchJob<Context>: Sendable {
  /// What the work may use; made from the work transaction, so everything it does is undone
  /// with it.
  associatedtype Context: Sendable

  /// What wakes the job and how it is run. One requirement without a default: a misspelt option
  /// does not compile.
  static var definition: Definition { get }

  /// One run, from the key it is debounced by and the JSON payload of its newest event.
  ///
  /// - Throws: anything; a run that cannot be read fails like one that cannot be worked.
  init(key: String, payload: String?) throws

  /// Does the work of all runs in the batch.
  ///
  /// - Throws: ``Permanent`` for what no retry can mend, ``Snooze`` for what is not to be done yet.
  ///   Any other error rolls the batch back; it is split until the culprit is alone, and that one is
  ///   retried as the definition says.
  static func run(_ batch: [Self], in context: Context) async throws
}

/// An error that no retry can mend: the run is dead at once.
public struct Permanent: Error, CustomStringConvertible {
  /// What is wrong, kept with the dead run.
  public let description: String

  /// A permanent error.
  public init(_ description: String) { self.description = description }
}

/// The whole batch is not to be done yet: it is rolled back, due again later, and costs no attempt.
public struct Snooze: Error {
  /// How long from now.
  public let wait: Duration

  /// A wait.
  public init(for wait: Duration) {
    precondition(wait >= .zero, "a snooze ends in the future")
    self.wait = wait
  }
}
