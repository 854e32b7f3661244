import BatonPostgres
import RunnerSQL

/// How long a migrator waits for a lock, and how often it tries to acquire the lock.
struct LockPatience: Sendable {
  var lockTimeout: Duration = .seconds(2)
  var tries = 20
  /// How long a migrator waits for another migrator.
  var migrator: Duration = .seconds(600)

  /// Retries `body` if a lock was not available, or if PostgreSQL ended the transaction because of
  /// a deadlock.
  ///
  /// Between two attempts, statements from other sessions that are waiting for the lock can
  /// proceed. The method also retries if two sessions grant privileges on one object at the same
  /// time.
  func tried<R>(_ body: () async throws -> R) async throws -> R {
    for attempt in 1..<tries {
      do {
        return try await body()
      } catch let error as PostgresError where isWorthAnother(error) {
        try await Task.sleep(for: min(.milliseconds(100) * attempt, .seconds(1)))
      }
    }
    return try await body()
  }

  private func isWorthAnother(_ error: PostgresError) -> Bool {
    Queue.lockErrors.contains(error.sqlState) || error.isOfConcurrentGrant
      || error.isOfConcurrentCreation
  }
}

extension PostgresError {
  /// Whether the error occurred because two sessions granted privileges on one object at the same
  /// time.
  ///
  /// PostgreSQL never translates the message of this error.
  fileprivate var isOfConcurrentGrant: Bool {
    sqlState == "XX000" && message.contains("tuple concurrently updated")
  }

  /// Whether the error occurred because the schema or its first tables were being created
  /// concurrently.
  fileprivate var isOfConcurrentCreation: Bool {
    statement == SQL.Migrator.makeSchema.name
      && ["23505", "42P06", "42P07", "42710"].contains(sqlState)
  }
}
