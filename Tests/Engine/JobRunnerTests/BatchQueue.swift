import BatonJobs
import BatonPostgres
import JobTesting
import RunnerSQL
import TestSupport

@testable import JobRunner

/// A member of the tests' batches.
///
/// A run whose key begins with `bad` dies, until the `noted` table contains the key `fixed`.
struct RenderJob: BatchJob {
  static let definition = Definition<Self>("render", batch: 1)

  static func run(_ batch: [Run<Self>], in context: BatchContext) async throws {
    for run in batch {
      if run.key.hasPrefix("bad"), try await !context.isFixed() { throw Permanent("never") }
      try await context.note(run.key)
    }
  }
}

/// The job that the tests' batches wake, which records the counts.
struct ArchiveJob: BatchJob {
  static let definition = Definition<Self>("archive")

  let batch: String
  let generation, done, dead, cancelled: Int

  static func run(_ batch: [Run<Self>], in context: BatchContext) async throws {
    for run in batch {
      let end = run.payload
      try await context.note(
        "\(run.key)/\(end.generation): \(end.done) done, \(end.dead) dead, \(end.cancelled) cancelled"
      )
    }
  }
}

struct BatchContext: Sendable {
  let transaction: Transaction

  func note(_ text: String) async throws {
    try await transaction.run(
      .run(Statement("test/note_batch", "insert into noted (key) values ($1)"), text))
  }

  func isFixed() async throws -> Bool {
    let isFixed = Call.row(
      Statement("test/is_fixed", "select exists (select from noted where key = 'fixed')")
    ) { (row) throws(PostgresError) in try row.decode(Bool.self) }
    return try await transaction.run(isFixed)
  }
}

/// A queue with the jobs of batches.
struct BatchQueue: Sendable {
  let test: JobTest
  let queue: Queue
  let jobs: [RegisteredJob]

  static func with(_ body: (BatchQueue) async throws -> Void) async throws {
    let jobs = [
      RegisteredJob(RenderJob.self) { BatchContext(transaction: $0) },
      RegisteredJob(ArchiveJob.self) { BatchContext(transaction: $0) },
    ]
    try await JobTest.noting(jobs) { test in
      let connection = try await test.connect()
      try await body(
        BatchQueue(
          test: test, queue: Queue(Session(connection, in: test.schema)), jobs: jobs))
      await connection.close()
    }
  }

  /// Enqueues runs with these keys in a new, sealed batch that wakes the `archive` job.
  func enqueue(_ batch: String, _ keys: [String], in parent: String? = nil) async throws {
    try await test.sql(
      """
      select enqueue_batch('\(batch)', 'render', '[\(Self.runs(keys))]', 'archive'\
      \(parent.map { ", '\($0)'" } ?? ""))
      """)
  }

  static func runs(_ keys: [String]) -> String {
    keys.map { "{\"key\": \"\($0)\"}" }.joined(separator: ", ")
  }

  /// Dispatches all events, and looks at all batches.
  @discardableResult
  func advance() async throws -> Int {
    try await queue.foldAfterOthers()
    return try await queue.advanceBatches(takesAll: true)
  }

  /// Moves all runs of the `render` job to the dead runs, as if they had failed.
  func killRuns() async throws {
    try await test.sql(
      """
      do $$ begin
        with gone as (delete from run where job = 'render' returning *)
        insert into dead_run (id, job, key, attempt, error, earlier_ids, first_event_at)
        select id, job, key, 1, 'it failed', earlier_ids, first_event_at from gone;
      end $$
      """)
  }

  /// Begins a transaction on a new connection, and executes a statement in the transaction.
  func begin(_ statement: String) async throws -> Connection {
    let connection = try await test.connect()
    try await connection.script(
      Statement(
        "test/begin", "begin; set local search_path to \(test.schema.name); \(statement)"))
    return connection
  }

  /// Returns the ends of batches that the `archive` job has recorded.
  func ends() async throws -> [String] {
    try await test.sql("select key from noted where key like '%/%' order by 1").map {
      $0.replacing("\"", with: "")
    }
  }

  /// Returns the state of each batch, with the numbers of open, done, dead and cancelled members.
  func states() async throws -> [String] {
    try await queue.batches(limit: 100).reversed().map {
      "\($0.name) \($0.state) \($0.open) \($0.done) \($0.dead) \($0.cancelled)"
    }
  }
}
