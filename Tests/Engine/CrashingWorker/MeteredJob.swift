import BatonJobs
import BatonPostgres

/// A job with every kind of limit, whose runs take some time.
struct MeteredJob: BatchJob {
  static let definition = Definition<Self>(
    "metered", batch: 3,
    retry: .attempts(9, exponentialFrom: .milliseconds(1), to: .milliseconds(10)),
    limits: [
      .concurrency(5), .concurrency(2, per: .key(part: 1, separator: "/")),
      .perSecond(100, burst: 5), .perSecond(30, burst: 3, per: .key(part: 1, separator: "/")),
    ])

  static func run(_ batch: [Run<Self>], in context: Effects) async throws {
    try await context.write(batch.map(\.key))
    try await context.sleep()
  }
}

extension Effects {
  func sleep() async throws {
    try await transaction.run(.run(Statement("test/sleep", "select from pg_sleep(0.03)")))
  }
}
