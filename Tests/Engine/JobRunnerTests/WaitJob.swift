import BatonJobs
import BatonPostgres
import Foundation
import JobTesting
import TestSupport

@testable import JobRunner

/// The tests' effect that waits for the event `paid` with the key of the run, and then ships.
///
/// The beginning of a run's key determines what the run does in addition.
struct WaitJob: EffectJob {
  static let definition = Definition<Self>(
    "ship-order", concurrency: 4,
    retry: .attempts(3, exponentialFrom: .milliseconds(1), to: .milliseconds(2)),
    timeout: .seconds(20), keepsHistory: true)

  struct Payment: Codable, Sendable, Equatable {
    var cents: Int
  }

  static let timeout = Duration.seconds(3600)

  /// Returns the payments, each as the cents or 0 after a timeout.
  static func perform(_ run: Run<Self>, in till: Till) async throws -> [Int] {
    let paid = try await payments(run)
    if run.key.hasPrefix("bad"), !till.isOpen {
      throw TestFailure("\(run.key) fails after its wait")
    }
    if run.key.hasPrefix("later"), !till.isOpen { throw Snooze(for: .seconds(7200)) }
    try await run.step("ship") { key in _ = till.add(key) }
    return paid
  }

  private static func payments(_ run: Run<Self>) async throws -> [Int] {
    switch run.key.prefix(while: { $0 != "-" }) {
    case "any": return [try await run.waitForEvent("paid", key: "all", timeout: timeout) ? 1 : 0]
    case "zero": return [try await payment(run, timeout: .zero)]
    case "twice": return [try await payment(run), try await payment(run, step: "paid-2")]
    case "both":
      // Without the results, an error of the first wait would cancel the other wait.
      async let first = result { try await payment(run, step: "one") }
      async let second = result { try await payment(run, step: "other", timeout: .seconds(60)) }
      let (one, other) = await (first, second)
      return [try one.get(), try other.get()]
    case "bare":
      return [try await run.waitForEvent("pa id", key: run.key, timeout: timeout) ? 1 : 0]
    default: return [try await payment(run)]
    }
  }

  private static func result(
    _ body: @Sendable () async throws -> Int
  ) async -> Result<Int, any Error> {
    do { return .success(try await body()) } catch { return .failure(error) }
  }

  private static func payment(
    _ run: Run<Self>, step: String? = nil, timeout: Duration = timeout
  ) async throws -> Int {
    try await run.waitForEvent(
      "paid", key: run.key, timeout: timeout, step: step, as: Payment.self)?.cents ?? 0
  }

  static func registered(_ till: Till) -> RegisteredJob {
    RegisteredJob(WaitJob.self) { _ in till }
  }
}

/// A schema in which the effect that waits is registered.
struct WaitQueue: Sendable {
  let memo: MemoQueue
  let till: Till

  var test: JobTest { memo.test }
  var job: RegisteredJob { WaitJob.registered(till) }

  static func with(_ body: (WaitQueue) async throws -> Void) async throws {
    let till = Till()
    try await MemoQueue.with([WaitJob.registered(till)]) {
      try await body(WaitQueue(memo: $0, till: till))
    }
  }

  @discardableResult
  func enqueue(_ key: String) async throws -> Int64 {
    try await memo.enqueue(key, job: "ship-order")
  }

  /// Sends the event `paid`, without dispatching it.
  func send(_ key: String, cents: Int = 5) async throws {
    try await test.sql("select 1 from send_event('paid', '\(key)', '{\"cents\": \(cents)}')")
  }

  /// Dispatches all events, without making other runs due.
  func dispatch() async throws { try await memo.queue.foldAfterOthers() }

  @discardableResult
  func workOnce() async throws -> Bool { try await memo.workOnce(job) }

  /// Whether the only run is due.
  func isDue() async throws -> Bool {
    try await test.sql("select due <= pg_catalog.now() from run") == ["t"]
  }

  /// Makes a run due, as its timeout does.
  func makeDue() async throws { try await test.sql("update run set due = pg_catalog.now()") }

  /// Makes the timeouts of all waits pass.
  func expire() async throws {
    try await test.sql("update event_wait set expires_at = pg_catalog.now() - interval '1 s'")
    try await makeDue()
  }

  /// Returns the outputs of the ended runs, oldest first.
  func outputs() async throws -> [String] {
    try await test.sql("select output from run_history order by created_at, id")
  }
}
