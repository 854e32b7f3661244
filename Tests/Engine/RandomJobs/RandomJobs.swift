import BatonJobs
import BatonPostgres
import Foundation

/// The behavior that the payload of a random call requests from its attempt.
enum Behavior: String, Codable, Sendable {
  /// Every attempt fails.
  case fail
  /// The first attempt fails.
  case once
  /// The run dies in its first attempt.
  case permanent
  /// At most the first two attempts are postponed.
  case snooze
  /// The work takes long enough that a kill can hit it.
  case slow
  /// The first attempt exceeds its timeout.
  case hang

  /// Executes the behavior of the payload, after the attempt was recorded.
  ///
  /// The numbers of the call and of the attempt determine the behavior, so the behavior is the same
  /// each time a seed is repeated. A snooze does not change the attempt number, so the number of
  /// earlier snoozes or attempts also counts.
  ///
  /// - Parameter earlier: returns the number of earlier snoozes or attempts of the run.
  static func act(
    _ behavior: Behavior?, call: Int64?, attempt: Int, earlier: () async throws -> Int64
  ) async throws {
    switch behavior {
    case .fail: throw RandomFailure()
    case .once where attempt == 1: throw RandomFailure()
    case .permanent: throw Permanent("the payload says so")
    case .snooze:
      let most = ((call ?? 0) + Int64(attempt)) % 3
      if try await earlier() < most { throw Snooze(for: .milliseconds(30)) }
    case .slow: try await Task.sleep(for: slowness(call: call, attempt: attempt))
    case .hang where attempt == 1: try await Task.sleep(for: .seconds(30))
    default: break
    }
  }

  /// Returns the duration of slow work, from 20 ms to 120 ms.
  static func slowness(call: Int64?, attempt: Int) -> Duration {
    .milliseconds(20 + ((call ?? 0) * 37 + Int64(attempt) * 53) % 101)
  }
}

/// The error that a payload requests.
struct RandomFailure: Error, CustomStringConvertible {
  let description = "the payload asks for a failure"
}

/// A random job that processes a batch in one transaction.
struct RandomBatch: BatchJob {
  static var definition: Definition<Self> {
    let plan = JobPlan.current
    return Definition(
      plan.name, on: plan.triggers(of: Self.self), debounce: plan.debounce, batch: plan.batch,
      retry: plan.retry, timeout: .milliseconds(plan.timeout), keepsHistory: plan.keepsHistory,
      payloads: plan.payloads, limits: plan.limits, priority: plan.priority)
  }

  var call: Int64?
  var what: Behavior?

  static func run(_ batch: [Run<Self>], in record: RandomRecord) async throws {
    for run in batch {
      try await record.write(run, calls: run.payloads.compactMap(\.call), newest: run.payload.call)
    }
    for run in batch {
      try await Behavior.act(run.payload.what, call: run.payload.call, attempt: run.attempt) {
        try await record.snoozes(of: run.id)
      }
    }
  }
}

/// A random job that processes one run in two transactions.
struct RandomSteps: StepJob {
  static var definition: Definition<Self> {
    let plan = JobPlan.current
    return Definition(
      plan.name, on: plan.triggers(of: Self.self), debounce: plan.debounce, retry: plan.retry,
      timeout: .milliseconds(plan.timeout), keepsHistory: plan.keepsHistory,
      payloads: plan.payloads, limits: plan.limits, priority: plan.priority)
  }

  struct State: StoredState {
    var isSecond = false
  }

  var call: Int64?
  var what: Behavior?

  static func step(
    _ run: Run<Self>, _ state: inout State, in record: RandomRecord
  ) async throws -> StepResult {
    // The second step does not fail, because its failures would follow the attempts of the first step.
    guard state.isSecond else {
      state.isSecond = true
      try await record.checkAlone(run.key)
      try await Behavior.act(run.payload.what, call: run.payload.call, attempt: run.attempt) {
        try await record.snoozes(of: run.id)
      }
      return .more([:])
    }
    try await record.write(run, calls: run.payloads.compactMap(\.call), newest: run.payload.call)
    if run.payload.what == .slow {
      try await Task.sleep(
        for: Behavior.slowness(call: run.payload.call, attempt: run.attempt))
    }
    return .done([:])
  }
}

/// A random job that acts outside the database.
struct RandomEffect: EffectJob {
  static var definition: Definition<Self> {
    let plan = JobPlan.current
    return Definition(
      plan.name, on: plan.triggers(of: Self.self), debounce: plan.debounce,
      concurrency: plan.batch, retry: plan.retry, timeout: .milliseconds(plan.timeout),
      keepsHistory: plan.keepsHistory, payloads: plan.payloads, limits: plan.limits,
      priority: plan.priority)
  }

  var call: Int64?
  var what: Behavior?

  static func perform(_ run: Run<Self>, in post: RandomPost) async throws {
    let calls = run.payloads.compactMap(\.call)
    try post.append("begin", run.id, run.key, calls: calls, newest: run.payload.call)
    defer { try? post.append("end", run.id, run.key, calls: calls, newest: run.payload.call) }
    try await Behavior.act(run.payload.what, call: run.payload.call, attempt: run.attempt) {
      post.earlierAttempts(of: run.id)
    }
    // Only an attempt that has written this line may complete the run.
    try post.append("done", run.id, run.key, calls: calls, newest: run.payload.call)
  }
}
