import Postgres

/// How long a migrator waits for a lock, and how often it tries in all.
struct LockPatience: Sendable {
  var lockTimeout: Duration = .seconds(2)
  var tries = 20

  /// Tries again where a lock could not be had: between the tries whoever waits behind goes ahead.
  func tried<R>(_ body: () async throws -> R) async throws -> R {
    for attempt in 1..<tries {
      do {
        return try await body()
      } catch let error as PostgresError where error.sqlState == .lockNotAvailable {
        try await Task.sleep(for: min(.milliseconds(100) * attempt, .seconds(1)))
      }
    }
    return try await body()
  }
}
