import BatonJobs
import BatonPostgres
import Logging

/// The tests' job.
///
/// It records the run and the version of each key, and fails if the key requests that.
struct CountJob: BatchJob {
  static let definition = Definition<Self>(
    "count", on: [.event(Topic("source.changed"))],
    debounce: .perKey(quiet: .milliseconds(20), atMost: .milliseconds(200)), batch: 25,
    retry: .attempts(6, exponentialFrom: .milliseconds(10), to: .milliseconds(200)),
    timeout: .seconds(5))

  static func run(_ batch: [Run<Self>], in context: Ledger) async throws {
    try await context.write(batch.map(\.key))
    if let bad = batch.first(where: { $0.key.hasPrefix("bad") }) {
      throw Refusal(key: bad.key)
    }
  }
}

/// The reason why a key always fails.
struct Refusal: Error, CustomStringConvertible {
  let key: String
  var description: String { "\(key) always fails" }
}

/// The table that the tests' job writes to in its transaction.
struct Ledger: Sendable {
  let transaction: Transaction

  /// A run keeps its id in all attempts.
  ///
  /// If it was processed twice, it has two rows.
  func write(_ keys: [String]) async throws {
    try await transaction.run(
      .run(
        Statement(
          "test/write_effect",
          """
          insert into effect (run, key, version)
          select e.run, e.key, s.version from ending e join source s using (key)
          where e.xact = pg_current_xact_id() and e.key = any ($1)
          """), keys))
  }
}

extension Logger {
  /// A logger without output, because these tests cause failing connections on purpose.
  static var quiet: Logger { Logger(label: "test") { _ in SwiftLogNoOpLogHandler() } }
}
