import BatonJobs
import JobRunner

/// A job whose runs do nothing.
struct NoOp: BatchJob {
  static let definition = Definition<Self>(
    "bench-no-op", batch: 500, retry: .attempts(1, exponentialFrom: .zero, to: .zero),
    timeout: .seconds(60))

  static func run(_ batch: [Run<Self>], in context: Nothing) async throws {}

  struct Nothing: Sendable {}

  static let registered = RegisteredJob(NoOp.self) { _ in Nothing() }
}
