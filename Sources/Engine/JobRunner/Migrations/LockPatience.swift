import BatonPostgres

/// How long a migrator waits for a lock, and how often it tries in all.
struct LockPatience: Sendable {
  var lockTimeout: Duration = .seconds(2)
  var tries = 20

  /// Tries again where a lock could not be had: between the tries whoever waits behind goes ahead.
  ///
  /// So too where somebody granted something of the same object meanwhile, which PostgreSQL refuses.
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
    error.sqlState == .lockNotAvailable || error.isOfConcurrentGrant
  }
}

extension PostgresError {
  /// Two have granted something of one object; the server never translates this message.
  fileprivate var isOfConcurrentGrant: Bool {
    sqlState == "XX000" && message.contains("tuple concurrently updated")
  }
}
