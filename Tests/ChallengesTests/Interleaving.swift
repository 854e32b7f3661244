import Postgres
import TestSupport

extension Gym {
  /// Runs `body` with a second connection.
  func withConnection<R>(_ body: (Connection) async throws -> R) async throws -> R {
    let other = try await test.connect()
    let result: Result<R, any Error>
    do { result = .success(try await body(other)) } catch { result = .failure(error) }
    await other.close()
    return try result.get()
  }

  /// Returns when so many connections of this test wait for a lock, as seen from another.
  ///
  /// By their name: behind a pooler nobody knows beforehand which server process will wait.
  func waitUntilBlocked(_ count: Int = 1) async throws {
    try await wait(
      until: """
        (select count(*) from pg_stat_activity
         where application_name = '\(test.configuration.applicationName)'
           and wait_event_type = 'Lock') >= \(count)
        """)
  }

  /// Returns when a condition holds, as seen from a connection of its own.
  func wait(until condition: String) async throws {
    let look = "select (\(condition))::text from pg_sleep(0.002)"
    try await withConnection { observer in
      while try await lines(look, on: observer) != ["true"] { try Task.checkCancellation() }
    }
  }
}

/// A transaction that a test begins and ends by hand, for interleavings and other levels.
struct OpenTransaction {
  let connection: Connection

  /// Begins; bare names resolve in the schema of `gym`.
  ///
  /// - Parameter limit: what a statement may take, where waiting would be a mistake.
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

  /// Commits.
  func commit() async throws { try await connection.script(Statement("test/commit", "commit")) }

  /// Rolls back.
  func rollBack() async throws {
    try await connection.script(Statement("test/rollback", "rollback"))
  }
}
