import BatonJobs
import Foundation
import JobTesting
import TestSupport
import Testing

@testable import JobRunner

/// Tests the waits of docs/guides/waiting.md and the fake service of docs/guides/testing-jobs.md, as
/// an author of jobs would test them.
@Suite(.timeLimit(.minutes(5))) struct DocumentedWaitTests {
  private func withOrders(
    _ body: (JobTest, FakeService<String, Int>) async throws -> Void
  ) async throws {
    let service = FakeService<String, Int> { _ in 200 }
    let job = RegisteredJob(ShipOrder.self) { _ in ShopService(service: service) }
    try await TestSchema.run([job]) { try await body($0, service) }
  }

  @Test func `after the event, the order is shipped`() async throws {
    try await withOrders { test, shop in
      try await test.sql("select enqueue('ship-order', '7')")
      try await test.drain()
      try await test.sql("select send_event('order.paid', '7', '{\"cents\": 4200}')")
      try await test.drain()
      #expect(shop.performedRequests == ["ship for 4200"])
    }
  }

  @Test(.sampled()) func `after the timeout, the order is cancelled`() async throws {
    try await withOrders { test, shop in
      try await test.setClock(to: "2026-03-28 12:00Z")
      try await test.sql("select enqueue('ship-order', '7')")
      try await test.drain()
      try await test.advance(to: "2026-03-31 12:00Z")
      #expect(shop.performedRequests == ["cancel"])
    }
  }

  @Test func `a provider that fails twice charges once`() async throws {
    let payments = FakeService<Int, String> { cents in "charged \(cents)" }
    let job = RegisteredJob(ChargeCard.self) { _ in payments }
    try await TestSchema.run([job]) { test in
      payments.answerNext(.fail(StatusCode(500)), .fail(StatusCode(500)))
      let id = try await test.sql("select enqueue('charge-card', '7', '{\"cents\": 4200}')")[0]
      #expect(try await test.drain() == 0)
      #expect(payments.receivedKeys == [id, id, id])
      try payments.expectPerformed([id])
    }
  }
}

private struct ShipOrder: EffectJob {
  static let definition = Definition<Self>("ship-order", concurrency: 20, timeout: .seconds(30))

  struct Payment: Codable, Sendable {
    let cents: Int
  }

  static func perform(_ run: Run<Self>, in shop: ShopService) async throws {
    let payment = try await run.waitForEvent(
      "order.paid", key: run.key, timeout: .seconds(3 * 86_400), as: Payment.self)
    guard let payment else {
      return try await run.step("cancel") { key in try await shop.cancel(idempotencyKey: key) }
    }
    try await run.step("ship") { key in
      try await shop.ship(for: payment.cents, idempotencyKey: key)
    }
  }
}

private struct ShopService: Sendable {
  let service: FakeService<String, Int>

  func ship(for cents: Int, idempotencyKey: String) async throws {
    _ = try await service.send("ship for \(cents)", idempotencyKey: idempotencyKey)
  }

  func cancel(idempotencyKey: String) async throws {
    _ = try await service.send("cancel", idempotencyKey: idempotencyKey)
  }
}

private struct ChargeCard: EffectJob {
  static let definition = Definition<Self>("charge-card", concurrency: 20, timeout: .seconds(30))

  let cents: Int

  static func perform(_ run: Run<Self>, in payments: FakeService<Int, String>) async throws {
    _ = try await payments.send(run.payload.cents, idempotencyKey: "\(run.id)")
  }
}

/// The error of a provider that does not respond with 200.
private struct StatusCode: Error {
  let code: Int

  init(_ code: Int) { self.code = code }
}
