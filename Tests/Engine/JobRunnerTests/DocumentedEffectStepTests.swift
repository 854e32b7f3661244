import BatonJobs
import BatonPostgres
import Foundation
import JobTesting
import Synchronization
import TestSupport
import Testing

@testable import JobRunner

/// Tests the steps of docs/guides/effects.md, as an author of jobs would test them.
@Suite struct DocumentedEffectStepTests {
  @Test func `an order that fails after its payment is not charged again`() async throws {
    let requests = Requests()
    let job = RegisteredJob(PayOrder.self) { _ in Payments(requests: requests) }
    try await TestSchema.run([job]) { test in
      let id = try await test.sql("select enqueue('pay-order', '7', '{\"cents\": 4200}')")[0]
      #expect(try await test.drain() == 0)
      // The first request for a receipt fails, so the run has two attempts.
      #expect(
        requests.all == [
          "charge 4200 \(id)/charge", "receipt ch_1 \(id)/receipt", "receipt ch_1 \(id)/receipt",
        ])
      #expect(try await test.runs().isEmpty)
    }
  }
}

private struct PayOrder: EffectJob {
  static let definition = Definition<Self>("pay-order", concurrency: 20, timeout: .seconds(30))

  let cents: Int

  static func perform(_ run: Run<Self>, in payments: Payments) async throws {
    let charge = try await run.step("charge") { key in
      try await payments.charge(run.payload.cents, idempotencyKey: key)
    }
    try await run.step("receipt") { key in
      try await payments.sendReceipt(for: charge, idempotencyKey: key)
    }
  }
}

private struct Payments: Sendable {
  let requests: Requests

  func charge(_ cents: Int, idempotencyKey: String) async throws -> String {
    "ch_\(requests.add("charge \(cents) \(idempotencyKey)"))"
  }

  func sendReceipt(for charge: String, idempotencyKey: String) async throws {
    let number = requests.add("receipt \(charge) \(idempotencyKey)")
    if number == 2 { throw TestFailure("the mail server does not respond") }
  }
}

private final class Requests: Sendable {
  private let list = Mutex<[String]>([])

  var all: [String] { list.withLock { $0 } }

  /// Records a request, and returns the number of all requests.
  func add(_ text: String) -> Int {
    list.withLock { list in
      list.append(text)
      return list.count
    }
  }
}
