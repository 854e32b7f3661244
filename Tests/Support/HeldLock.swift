import BatonPostgres

/// Locks that a transaction of the test holds, with functions that count the sessions that wait for
/// the locks.
package struct HeldLock: Sendable {
  fileprivate let connection: Connection
  fileprivate let schema: TestSchema
  /// The id of the server process that holds the locks.
  ///
  /// The id is read inside the transaction, because a pooler may assign another process to another
  /// transaction.
  package let pid: Int32

  /// Releases the locks.
  ///
  /// - Throws: `PostgresError`.
  package func release() async throws {
    try await connection.script(Statement("test/release", "rollback"))
  }

  /// Commits the changes of the transaction, and releases the locks.
  ///
  /// - Throws: `PostgresError`.
  package func commit() async throws {
    try await connection.script(Statement("test/commit", "commit"))
  }

  /// Waits until the given number of sessions wait for the locks.
  ///
  /// - Throws: `TestFailure` if too few sessions wait for the locks.
  package func waitUntilItBlocks(_ count: Int = 1) async throws {
    try await eventually("\(count) transactions that wait for the test's lock") {
      try await blockedCount() >= count
    }
  }

  /// Returns the number of sessions that wait for the locks now.
  ///
  /// - Throws: `PostgresError`.
  package func blockedCount() async throws -> Int {
    // A session that waits behind another waiting session is also blocked by the other session.
    let count = try await schema.sql(
      "select count(*) from pg_stat_activity where \(pid) = any (pg_blocking_pids(pid))")
    return count.first.flatMap { Int($0) } ?? 0
  }
}

extension TestSchema {
  /// Runs `body` while a transaction of the test holds the locks of `statement`.
  ///
  /// The locks are released before the function returns, even if `body` throws an error.
  package func holding<R>(
    _ statement: String, _ body: (HeldLock) async throws -> R
  ) async throws -> R {
    let connection = try await connect()
    try await connection.script(
      Statement("test/hold", "begin; set local search_path to \(schema.name); \(statement)"))
    let result: Result<R, any Error>
    do {
      let process = Call.row(Statement("test/process", "select pg_backend_pid()")) {
        (row) throws(PostgresError) in try row.decode(Int32.self)
      }
      let pid = try await connection.run(process)
      result = .success(
        try await body(HeldLock(connection: connection, schema: self, pid: pid)))
    } catch {
      result = .failure(error)
    }
    await connection.close()
    return try result.get()
  }
}
