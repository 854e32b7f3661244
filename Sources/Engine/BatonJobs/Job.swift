/// A kind of background work, with its triggers, limits, retry policy and code.
///
/// A value of a conforming type is the payload of one run. The value's stored properties are
/// decoded from the JSON of the run's newest event. A missing payload is decoded as `{}`. The run's
/// key is not part of the payload.
///
/// A job that runs in transactions conforms to ``BatchJob`` or ``StepJob``. A job that acts outside
/// the database conforms to ``EffectJob``.
public protocol Job<Context>: JobPayload {
  /// The value that the job's code uses to do its work, for example a connection or a client.
  associatedtype Context: Sendable

  /// The job's triggers and options.
  ///
  /// The definition is the protocol's only requirement without a default. A misspelled option does
  /// not compile, because the options are arguments of the definition's initializer.
  static var definition: Definition<Self> { get }
}

/// A job that runs in transactions of Baton's database.
///
/// The job's context is created from the transaction, so a rollback undoes all changes that the job
/// made through the context.
public protocol TransactionalJob<Context>: Job {
  // `Context` is declared again so that the compiler infers `Context` from the methods of
  // `BatchJob` and `StepJob`.
  associatedtype Context

  /// Begins an attempt to process runs that were claimed together.
  ///
  /// The runner calls the returned closure in one transaction after another until the result is
  /// `.done`. ``BatchJob`` and ``StepJob`` implement this method, so a job does not need to
  /// implement it.
  ///
  /// The runner calls the closure on the thread of the transaction's connection. This thread also
  /// executes the statements of the transaction. A blocking call delays only this connection. Child
  /// tasks run on the same thread, unless they prefer another task executor. An actor that a child
  /// task has called may wait for the thread, so it may wait for a statement of the transaction.
  static func begin(_ runs: [Run<Self>]) -> @Sendable (Context) async throws -> StepResult

  /// Returns the rows that a run would remove, table by table, without removing any rows.
  ///
  /// Implement this method if the job's locks would block other transactions for too long during a
  /// dry run. The default implementation returns nil. If this method returns nil, a dry run
  /// executes the job and rolls the transaction back.
  static func dryRun(in context: Context) async throws -> [Removal]?
}

/// The information about a job that a caller needs to enqueue a run.
///
/// A program that only enqueues runs of a job declares the payload's type as a `JobPayload`, and
/// does not contain the job's methods.
public protocol JobPayload: Codable, Sendable {
  /// The type of the keys of the job's runs.
  ///
  /// If a run's key cannot be parsed as the `Key` type, the run fails and is retried.
  associatedtype Key: JobKey = String

  /// The name under which the job's runs are stored, which is the job's original name.
  static var name: String { get }
}

extension Job {
  /// The name under which the job's runs are stored: the first name in `formerly`, or the job's
  /// name if `formerly` is empty.
  public static var name: String { definition.job.name }
}

extension TransactionalJob {
  /// Returns nil, so that a dry run executes the job and rolls the transaction back.
  public static func dryRun(in context: Context) async throws -> [Removal]? { nil }
}

/// The number and the ages of the rows that a run would remove from one table.
public struct Removal: Sendable, Equatable, Encodable {
  /// The name of the table, or of the partition if the run would remove a whole partition.
  public let table: String
  /// The number of rows that the run would remove.
  public let rows: Int
  /// The times of the oldest and the newest row, in UTC and in ISO 8601 format, or nil if no row
  /// has a time.
  public let oldest, newest: String?

  /// Creates a description of the rows to remove from one table.
  public init(table: String, rows: Int, oldest: String?, newest: String?) {
    self.table = table
    self.rows = rows
    self.oldest = oldest
    self.newest = newest
  }
}
