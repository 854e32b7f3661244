/// A job: what triggers it, its limits, how it is retried, and what it does.
///
/// A value of the type is the payload of one run: its stored properties are decoded from the JSON of the run's newest
/// event. A missing payload is decoded as `{}`. The run has its key separately.
///
/// A job conforms to ``BatchJob`` or ``StepJob``, which work in transactions, or to ``EffectJob``, which works
/// outside of transactions.
public protocol Job<Context>: JobPayload {
  /// What the work may use, for example a connection or a client.
  associatedtype Context: Sendable

  /// What triggers the job and how it is run.
  ///
  /// It is the only requirement and has no default, so a misspelled option does not compile.
  static var definition: Definition<Self> { get }
}

/// A job that works in transactions of Baton's database.
///
/// Its context is made from the transaction, so a rollback undoes everything that the job did.
public protocol TransactionalJob<Context>: Job {
  // Declared again, so that the compiler infers it from the methods of the kinds of jobs.
  associatedtype Context

  /// Begins an attempt at runs that were claimed together.
  ///
  /// The runner calls the returned closure in one transaction after the other until the result is `.done`.
  /// ``BatchJob`` and ``StepJob`` implement this method; a job does not.
  static func begin(_ runs: [Run<Self>]) -> @Sendable (Context) async throws -> StepResult

  /// Returns what a run would remove, table by table, without removing it.
  ///
  /// For a job whose real work would hold locks for too long in a transaction that is rolled back. The default is
  /// nil: a dry run then does the real work and rolls it back.
  static func dryRun(in context: Context) async throws -> [Removal]?
}

/// What a caller must know about a job to enqueue it.
///
/// It is separate from ``Job`` because the compiler infers a job's context from the methods of the kinds of jobs. It
/// cannot do so where a job is only used as a value to enqueue.
public protocol JobPayload: Codable, Sendable {
  /// The type of the keys of its runs; a run whose key does not parse as this type fails and is retried.
  associatedtype Key: JobKey = String

  /// The name of its definition.
  static var name: String { get }
}

extension Job {
  /// The name of its definition.
  public static var name: String { definition.job.name }
}

extension TransactionalJob {
  /// Returns nil: a dry run does the real work and rolls it back.
  public static func dryRun(in context: Context) async throws -> [Removal]? { nil }
}

/// Rows of one table that a run would remove.
public struct Removal: Sendable, Equatable, Encodable {
  /// The table, or the partition that would be removed as a whole.
  public let table: String
  /// The number of rows.
  public let rows: Int
  /// The times of the oldest and the newest row, ISO 8601 in UTC; nil if there is none.
  public let oldest, newest: String?

  /// Describes rows of one table.
  public init(table: String, rows: Int, oldest: String?, newest: String?) {
    self.table = table
    self.rows = rows
    self.oldest = oldest
    self.newest = newest
  }
}

/// An error that no retry can fix: the run dies immediately.
///
/// ```swift
/// throw Permanent("the address has no country")
/// ```
public struct Permanent: Error, CustomStringConvertible {
  /// The error text, stored with the dead run.
  public let description: String

  /// Creates a permanent error.
  public init(_ description: String) { self.description = description }
}

/// An error that postpones the whole batch: it is rolled back, is due again later, and uses no attempt.
///
/// ```swift
/// throw Snooze(for: .seconds(300), reason: "the service is in maintenance")
/// ```
public struct Snooze: Error {
  /// The wait, starting now.
  public let wait: Duration
  /// The reason, printed when a person runs the job by hand.
  public let reason: String?

  /// Creates a wait of zero or more.
  public init(for wait: Duration, reason: String? = nil) {
    precondition(wait >= .zero, "a snooze ends in the future")
    self.wait = wait
    self.reason = reason
  }
}
