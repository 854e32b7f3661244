import JobCore
import JobRunner

/// A run that has nothing to do: what is left of its time is the queue's.
struct NoOp: BatchJob {
  static let definition = Definition(
    "bench-no-op", on: .manual, debounce: .none, batch: 500,
    retry: .attempts(1, exponentialFrom: .zero, to: .zero), timeout: .seconds(60))

  let key: String

  init(key: String, payload: String?) { self.key = key }

  static func run(_ batch: [Self], in context: Nothing) async throws {}

  struct Nothing: Sendable {}

  static let registered = RegisteredJob(NoOp.self) { _ in Nothing() }
}
