import BatonJobs
import BatonPostgres
import Foundation
import JobRunner
import JobTesting
import Synchronization
import TestSupport

/// The tests' effect with two durable steps, `charge` and `mail`.
///
/// Until the till is open, the beginning of a run's key determines what the run does during or
/// after its first step.
struct ChargeJob: EffectJob {
  static let definition = Definition<Self>(
    "charge-order", concurrency: 4,
    retry: .attempts(3, exponentialFrom: .milliseconds(1), to: .milliseconds(2)),
    timeout: .seconds(20), keepsHistory: true)

  struct Receipt: Codable, Sendable {
    var number: Int
    var text = ""
  }

  var note: String?

  static func perform(_ run: Run<Self>, in shop: Shop) async throws -> [Int] {
    let receipt = try await run.step("charge") { key in
      let number = shop.till.add(key)
      if run.key.hasPrefix("lost") { try await shop.loseClaim(run.key) }
      let text = run.key.hasPrefix("large") ? String(repeating: "x", count: 70_000) : ""
      return Receipt(number: number, text: text)
    }
    if !shop.till.isOpen { try await interrupt(run, in: shop) }
    if run.key.hasPrefix("both") {
      async let parcel = run.step("parcel") { key in shop.till.add(key) }
      async let letter = run.step("letter") { key in shop.till.add(key) }
      _ = try await (parcel, letter)
    }
    try await run.step("mail") { key in _ = shop.till.add(key) }
    return [receipt.number]
  }

  private static func interrupt(_ run: Run<Self>, in shop: Shop) async throws {
    switch run.key.prefix(while: { $0 != "-" }) {
    case "bad": throw TestFailure("\(run.key) fails between its steps")
    case "dead": throw Permanent("\(run.key) dies between its steps")
    case "later": throw Snooze(for: .seconds(3600), reason: "not yet")
    case "twice": try await run.step("charge") { key in _ = shop.till.add(key) }
    case "refused":
      try await run.step("refused") { key -> RefusedResult in
        _ = shop.till.add(key)
        return RefusedResult()
      }
    case "nap": try await run.sleep("nap", until: Date() + 0.3)
    case "sleep": try await run.sleep("cooling-off", until: Date() + 3600)
    case "deaf": await Shop.ignoreCancellation()
    case "end": try await shop.effect.transaction(endingRun: true) { _ in }
    case "inside":
      try await shop.effect.transaction { _ in
        try await run.step("inside") { key in _ = shop.till.add(key) }
      }
    case "nested":
      try await shop.effect.transaction { _ in try await shop.effect.transaction { _ in } }
    default: break
    }
  }

  static func registered(_ till: Till) -> RegisteredJob {
    RegisteredJob(ChargeJob.self) { Shop(till: till, effect: $0) }
  }
}

/// An effect like ``ChargeJob`` with a short timeout, which ignores the timeout between its steps.
struct BriefChargeJob: EffectJob {
  static let definition = Definition<Self>(
    "brief-charge", concurrency: 4, retry: .attempts(1, exponentialFrom: .zero, to: .zero),
    timeout: .milliseconds(500) * patience)

  static func perform(_ run: Run<Self>, in shop: Shop) async throws {
    try await run.step("charge") { key in _ = shop.till.add(key) }
    await Shop.ignoreCancellation()
    try await run.step("mail") { key in _ = shop.till.add(key) }
  }

  static func registered(_ till: Till) -> RegisteredJob {
    RegisteredJob(BriefChargeJob.self) { Shop(till: till, effect: $0) }
  }
}

/// A step's result that cannot be encoded.
struct RefusedResult: Codable, Sendable {
  init() {}

  init(from decoder: any Decoder) throws {}

  func encode(to encoder: any Encoder) throws { throw TestFailure("the result is refused") }
}

struct Shop: Sendable {
  let till: Till
  let effect: Effect

  /// Waits until the task is cancelled, and ignores the cancellation.
  static func ignoreCancellation() async {
    while !Task.isCancelled { try? await Task.sleep(for: .milliseconds(5)) }
  }

  /// Changes the run's claim, as if another worker had claimed the run.
  func loseClaim(_ key: String) async throws {
    try await effect.transaction { try await $0.loseClaim(key) }
  }
}

/// The idempotency keys of all performed steps, in order.
final class Till: Sendable {
  private let state = Mutex((keys: [String](), isOpen: false))

  var keys: [String] { state.withLock { $0.keys } }
  var isOpen: Bool { state.withLock { $0.isOpen } }

  /// Records a step, and returns the number of recorded steps.
  func add(_ key: String) -> Int {
    state.withLock { state in
      state.keys.append(key)
      return state.keys.count
    }
  }

  func open() { state.withLock { $0.isOpen = true } }
}

/// A schema in which the effect with steps is registered.
struct ChargeQueue: Sendable {
  let memo: MemoQueue
  let till: Till

  var test: JobTest { memo.test }

  static func with(_ body: (ChargeQueue) async throws -> Void) async throws {
    let till = Till()
    let jobs = [
      ChargeJob.registered(till), BriefChargeJob.registered(till),
      SendJob.registered(Outbox.Sent()),
    ]
    try await MemoQueue.with(jobs) { try await body(ChargeQueue(memo: $0, till: till)) }
  }

  @discardableResult
  func enqueue(_ key: String, note: String? = nil) async throws -> Int64 {
    try await memo.enqueue(key, note: note, job: "charge-order")
  }

  @discardableResult
  func workOnce(release: Int? = nil) async throws -> Bool {
    let job = ChargeJob.registered(till)
    return try await memo.workOnce(
      job, release: release.map { ProgramRelease(program: "shop", number: $0, jobs: [job]) })
  }

  /// Returns the stored steps as `run/name/receipt number`, in the order in which they were stored.
  func steps() async throws -> [String] {
    try await test.sql(
      """
      select concat_ws('/', run_id, name, result::jsonb ->> 'number')
      from run_step order by saved_at, name
      """)
  }
}
