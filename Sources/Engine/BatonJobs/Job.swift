/// A job: what wakes it, how often at most, how it is retried, and what it does.
///
/// One value is the payload of one run: its stored properties are read from the JSON of the run's newest
/// event, and none is read as `{}`. The key comes with the run. A job conforms to ``BatchJob`` or
/// ``StepJob``, which say how the work is cut into transactions, or to ``EffectJob``, whose work is outside of any.
public protocol Job<Context>: JobPayload {
  /// What the work may use.
  associatedtype Context: Sendable

  /// What wakes the job and how it is run. One requirement without a default: a misspelt option
  /// does not compile.
  static var definition: Definition<Self> { get }
}

/// A job that works in transactions of Baton's database: its context is made from them, so that everything it
/// does is undone with them.
public protocol TransactionalJob<Context>: Job {
  // Said again, so that it is inferred from the methods of the kinds of jobs.
  associatedtype Context

  /// Begins an attempt at runs that were claimed together: the result is called in one transaction
  /// after the other until it is done.
  ///
  /// The runner's side of a job. ``BatchJob`` and ``StepJob`` implement it, a job does not.
  static func begin(_ runs: [Run<Self>]) -> @Sendable (Context) async throws -> StepResult

  /// What a run would remove, table by table, without removing it.
  ///
  /// For a job whose work cannot be tried in one transaction and rolled back without holding locks
  /// for too long. Nil, which is the default: a dry run does the real work and rolls it back.
  static func dryRun(in context: Context) async throws -> [Removal]?
}

/// What whoever asks for a run has to know of its job.
///
/// Apart from ``Job``, whose context the compiler infers from the methods of the kinds of jobs: it does not find
/// that out where a job is first met as a value to be enqueued.
public protocol JobPayload: Codable, Sendable {
  /// What its runs are debounced by; a run whose key cannot be read as one is dead at once.
  associatedtype Key: JobKey = String

  /// The name of its definition.
  static var name: String { get }
}

extension Job {
  /// The name of its definition.
  public static var name: String { definition.job.name }
}

extension TransactionalJob {
  /// None: a dry run does the real work.
  public static func dryRun(in context: Context) async throws -> [Removal]? { nil }
}

/// Rows of one table that would go.
public struct Removal: Sendable, Equatable, Encodable {
  /// The table, or the part of one that goes as a whole.
  public let table: String
  /// How many rows.
  public let rows: Int
  /// The age of the oldest and of the newest, ISO 8601 in UTC; nil where there is none.
  public let oldest, newest: String?

  /// Rows of a table.
  public init(table: String, rows: Int, oldest: String?, newest: String?) {
    self.table = table
    self.rows = rows
    self.oldest = oldest
    self.newest = newest
  }
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
  /// Why, for whoever runs the job by hand.
  public let reason: String?

  /// A wait.
  public init(for wait: Duration, reason: String? = nil) {
    precondition(wait >= .zero, "a snooze ends in the future")
    self.wait = wait
    self.reason = reason
  }
}
