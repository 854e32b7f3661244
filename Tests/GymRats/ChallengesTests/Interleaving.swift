import BatonPostgres
import Challenges
import ChallengesPostgres
import TestSupport
import Testing

extension Gym {
  /// Runs `body` with a second connection.
  func withConnection<R>(_ body: (Connection) async throws -> R) async throws -> R {
    let other = try await test.connect()
    let result: Result<R, any Error>
    do { result = .success(try await body(other)) } catch { result = .failure(error) }
    await other.close()
    return try result.get()
  }

  /// Waits until this many connections of the test wait for a lock, as seen from another
  /// connection.
  ///
  /// The connections are identified by name, because with a pooler the server process is not known
  /// in advance.
  func waitUntilBlocked(_ count: Int = 1) async throws {
    try await wait(
      until: """
        (select count(*) from pg_stat_activity
         where application_name = '\(test.configuration.applicationName)'
           and wait_event_type = 'Lock') >= \(count)
        """)
  }

  /// Waits until a condition is true, as seen from another connection.
  func wait(until condition: String) async throws {
    try await withConnection { observer in
      try await eventually(condition) {
        try await lines("select (\(condition))::text", on: observer) == ["true"]
      }
    }
  }
}

/// A transaction that a test begins and ends explicitly, for interleavings and other isolation
/// levels.
struct OpenTransaction {
  let connection: Connection

  /// Begins the transaction.
  ///
  /// Names without a schema resolve in the schema of `gym`.
  ///
  /// - Parameter limit: the maximum duration of a statement, if waiting would be an error.
  init(
    _ connection: Connection, in gym: Gym, level: String = "read committed", limit: String = "0"
  ) async throws {
    self.connection = connection
    let text = """
      begin isolation level \(level); set local search_path = \(gym.schema.name), pg_temp;
      set local timezone = 'UTC'; set local statement_timeout = '\(limit)'
      """
    try await connection.script(Statement("test/begin", text))
  }

  /// Runs one call in the transaction.
  @discardableResult
  func run<Output>(_ call: Call<Output>) async throws -> Output { try await connection.run(call) }

  /// Commits the transaction.
  func commit() async throws { try await connection.script(Statement("test/commit", "commit")) }

  /// Rolls the transaction back.
  func rollBack() async throws {
    try await connection.script(Statement("test/rollback", "rollback"))
  }
}

/// Closes all due weeks like the job, in a transaction that stays open.
struct OpenClose {
  private struct RolledBack: Error {}

  private let task: Task<Void, any Error>
  private let commits: AsyncStream<Bool>.Continuation

  /// Returns when all weeks are closed, but not committed.
  init(_ connection: Connection, in gym: Gym) async throws {
    let (closed, closing) = AsyncStream<Void>.makeStream()
    let (answers, commits) = AsyncStream<Bool>.makeStream()
    self.commits = commits
    let schema = gym.schema
    task = Task {
      defer { closing.finish() }
      try await Session(connection, in: schema).transaction { transaction in
        _ = try await PostgresWeeks(transaction).closeChunk(of: 1000, after: nil, only: nil)
        closing.yield()
        guard await answers.first(where: { _ in true }) == true else { throw RolledBack() }
      }
    }
    if await closed.first(where: { _ in true }) == nil { try await task.value }
  }

  /// Commits the transaction.
  func commit() async throws {
    commits.yield(true)
    try await task.value
  }

  /// Rolls the transaction back.
  func rollBack() async throws {
    commits.yield(false)
    await #expect(throws: RolledBack.self) { try await task.value }
  }
}
