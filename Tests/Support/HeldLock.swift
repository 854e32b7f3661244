import BatonPostgres

/// Locks that a transaction of the test's holds, and who waits for them.
package struct HeldLock: Sendable {
  fileprivate let connection: Connection
  fileprivate let schema: TestSchema
  /// Asked for inside the transaction: behind a pooler another one has another process.
  package let pid: Int32

  /// Lets go.
  ///
  /// - Throws: `PostgresError`.
  package func release() async throws {
    try await connection.script(Statement("test/release", "rollback"))
  }

  /// Waits until so many wait for these locks.
  ///
  /// - Throws: `TestFailure` where nobody does.
  package func waitUntilItBlocks(_ count: Int = 1) async throws {
    try await eventually("\(count) transactions that wait for the test's lock") {
      try await blockedCount() >= count
    }
  }

  /// How many wait for these locks now.
  ///
  /// - Throws: `PostgresError`.
  package func blockedCount() async throws -> Int {
    // Who waits behind one that waits has that one for a blocker too, not only this lock.
    let count = try await schema.sql(
      "select count(*) from pg_stat_activity where \(pid) = any (pg_blocking_pids(pid))")
    return count.first.flatMap { Int($0) } ?? 0
  }
}

extension TestSchema {
  /// Runs `body` while a transaction of the test's holds the locks of `statement`.
  ///
  /// Whatever happens in `body`, the locks are let go before this returns.
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
