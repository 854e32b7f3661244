import BatonPostgres
import JobTesting
import TestSupport

extension Places {
  /// Executes one call in a transaction that stays open, and another call that waits for it.
  ///
  /// Returns the answer or the SQLSTATE of the second call.
  func race(
    _ first: String, _ second: String, rollsBack: Bool = false
  ) async throws -> String {
    try await withOpen("select * from \(first)") { open in
      async let answer = state(second)
      try await open.waitUntilItBlocks()
      try await open.end(rollsBack ? "rollback" : "commit")
      return try await answer
    }
  }

  /// Returns the answer of a call, or the SQLSTATE if the call must be repeated.
  func state(_ text: String) async throws -> String {
    do { return try await call(text) } catch let error as PostgresError {
      return error.sqlState.code
    }
  }

  /// Returns the answers of concurrent calls.
  func atOnce(_ calls: [String]) async throws -> [String] {
    try await withThrowingTaskGroup(of: String.self) { group in
      for call in calls { group.addTask { try await state(call) } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
  }

  /// Runs `body` while a transaction has written data and has not ended.
  func withOpen<R>(
    _ statement: String, _ body: (OpenTransaction) async throws -> R
  ) async throws -> R {
    let connection = try await test.connect()
    let result: Result<R, any Error>
    do {
      try await connection.script(Statement("test/begin", "begin"))
      // The process is read inside the transaction, because with a pooler another transaction has
      // another process.
      let process = Call.row(Statement("test/process", "select pg_backend_pid()")) {
        (row) throws(PostgresError) in try row.decode(Int32.self)
      }
      let open = OpenTransaction(
        places: self, connection: connection, process: try await connection.run(process))
      try await open.end(
        "set local search_path to \(test.schema.name), pg_temp; \(statement)")
      result = .success(try await body(open))
    } catch {
      result = .failure(error)
    }
    await connection.close()
    return try result.get()
  }
}

/// A transaction that stays open until the test ends it.
struct OpenTransaction {
  fileprivate let places: Places
  fileprivate let connection: Connection
  fileprivate let process: Int32

  /// Runs statements in the transaction.
  ///
  /// The last statement may end it.
  func end(_ statements: String) async throws {
    try await connection.script(Statement("test/open", statements))
  }

  /// Waits until another session waits for its locks.
  func waitUntilItBlocks() async throws {
    try await eventually("a call that waits for the other") {
      try await places.sql(
        "select pid from pg_stat_activity where \(process) = any (pg_blocking_pids(pid))"
      ).isEmpty == false
    }
  }
}
