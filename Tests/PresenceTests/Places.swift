import ClaimsSQL
import JobTesting
import Postgres
import PresenceSQL
import TestSupport

/// A whole Who's There of a test's own.
struct Places: Sendable {
  let test: JobTest

  /// Runs `body` in a schema of its own, and drops it afterwards.
  static func with<R>(_ body: (Places) async throws -> R) async throws -> R {
    try await JobTest.run([], parts: [SQL.claims, SQL.presence], at: try TestServer.address) {
      try await body(Places(test: $0))
    }
  }
}
