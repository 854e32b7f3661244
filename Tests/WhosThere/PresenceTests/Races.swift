import BatonPostgres
import JobTesting
import TestSupport

extension Places {
  /// One call in a transaction that stays open, and another that waits for it: what the second one answers, or the
  /// SQLSTATE that it ends with.
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

  /// The answer of a call, or the SQLSTATE where it is to be made again.
  func state(_ text: String) async throws -> String {
    do { return try await call(text) } catch let error as PostgresError {
      return error.sqlState.code
    }
  }

  /// The answers of calls that are made at once.
  func atOnce(_ calls: [String]) async throws -> [String] {
    try await withThrowingTaskGroup(of: String.self) { group in
      for call in calls { group.addTask { try await state(call) } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
  }

  /// Runs `body` beside a transaction that has done something and not ended.
  func withOpen<R>(
    _ statement: String, _ body: (OpenTransaction) async throws -> R
  ) async throws -> R {
    let connection = try await test.connect()
    let result: Result<R, any Error>
    do {
      try await connection.script(Statement("test/begin", "begin"))
      // Asked for inside the transaction: behind a pooler another one has another process.
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

/// A transaction of a test's that stays open until the test ends it.
struct OpenTransaction {
  fileprivate let places: Places
  fileprivate let connection: Connection
  fileprivate let process: Int32

  /// Runs statements in it; the last one of them may be its end.
  func end(_ statements: String) async throws {
    try await connection.script(Statement("test/open", statements))
  }

  /// Waits until somebody waits for its locks.
  func waitUntilItBlocks() async throws {
    try await eventually("a call that waits for the other") {
      try await places.sql(
        "select pid from pg_stat_activity where \(process) = any (pg_blocking_pids(pid))"
      ).isEmpty == false
    }
  }
}
