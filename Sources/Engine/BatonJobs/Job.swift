/// A kind of background work: its triggers, its limits, its retries and its code.
///
/// A value of a conforming type is the payload of one run. The value's stored properties are
/// decoded from the JSON of the run's newest event. A missing payload is decoded as `{}`. The run's
/// key is not part of the payload.
///
/// A job conforms to ``BatchJob`` or ``StepJob``, which run in transactions, or to ``EffectJob``,
/// which runs outside of transactions.
public protocol Job<Context>: JobPayload {
  /// The value that the job's code uses to do its work, for example a connection or a client.
  associatedtype Context: Sendable

  /// The job's triggers and options.
  ///
  /// A job must implement only this property. Because the property has no default, a misspelled
  /// option does not compile.
  static var definition: Definition<Self> { get }
}

/// A job that runs in transactions of Baton's database.
///
/// The job's context is made from the transaction, so a rollback undoes everything that the job
/// did.
public protocol TransactionalJob<Context>: Job {
  // `Context` is declared again so that the compiler infers it from the methods of `BatchJob` and
  // `StepJob`.
  associatedtype Context

  /// Begins an attempt at runs that were claimed together.
  ///
  /// The runner calls the returned closure in one transaction after another until the result is
  /// `.done`. ``BatchJob`` and ``StepJob`` implement this method, so a job does not.
  static func begin(_ runs: [Run<Self>]) -> @Sendable (Context) async throws -> StepResult

  /// Returns the rows that a run would remove, table by table, without removing them.
  ///
  /// Implement this method if the job's locks would block other transactions for too long during a
  /// dry run. The default returns nil. If the result is nil, a dry run executes the job and rolls
  /// its transaction back.
  static func dryRun(in context: Context) async throws -> [Removal]?
}

/// What a caller must know about a job to enqueue it.
///
/// `JobPayload` is separate from ``Job``, because the compiler infers `Job.Context` from the
/// methods of a job. If a job is only used as a value to enqueue, the compiler cannot infer
/// `Context`.
public protocol JobPayload: Codable, Sendable {
  /// The type of the keys of the job's runs.
  ///
  /// A run whose key cannot be parsed as this type fails and is retried.
  associatedtype Key: JobKey = String

  /// The name with which the job's runs are stored: the first name in the job's definition.
  static var name: String { get }
}

extension Job {
  /// The name with which the job's runs are stored: the first of `formerly`, or else the name in
  /// the job's definition.
  public static var name: String { definition.job.name }
}

extension TransactionalJob {
  /// Returns nil, so that a dry run executes the job and rolls its transaction back.
  public static func dryRun(in context: Context) async throws -> [Removal]? { nil }
}

/// A number of rows that a run would remove from one table.
public struct Removal: Sendable, Equatable, Encodable {
  /// The table, or the partition if the run would remove the partition as a whole.
  public let table: String
  /// The number of rows.
  public let rows: Int
  /// The times of the oldest and the newest row in ISO 8601 and UTC, or nil if no row has a time.
  public let oldest, newest: String?

  /// Creates a description of the rows to remove from one table.
  public init(table: String, rows: Int, oldest: String?, newest: String?) {
    self.table = table
    self.rows = rows
    self.oldest = oldest
    self.newest = newest
  }
}
