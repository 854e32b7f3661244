import Baton
import BatonPostgres
import InvoicesSQL

/// Collects a payment: a request to the bank, the bank's confirmation, the booking and a receipt.
///
/// While the run waits for the bank, the run does not occupy a worker.
struct PayInvoice: EffectJob {
  static let definition = Definition<Self>(
    "pay-invoice",
    on: [
      .table("payment", on: .insert, key: "id", payload: .columns("tenant", "patience"))
    ],
    concurrency: 20)

  /// The payment's id.
  typealias Key = Int64

  let tenant: Int64
  /// The number of seconds after which the payment is cancelled.
  let patience: Int

  static func perform(_ run: Run<Self>, in bank: Bank) async throws {
    try await run.step("request") { key in
      try await bank.send("request of payment \(run.key)", of: run, idempotencyKey: key)
    }
    let isConfirmed = try await run.waitForEvent(
      "bank.confirmed", key: "\(run.key)", timeout: .seconds(run.payload.patience))
    guard isConfirmed else {
      return try await run.step("cancel") { key in
        try await bank.send("cancellation of payment \(run.key)", of: run, idempotencyKey: key)
      }
    }
    try await run.step("book") { _ in try await bank.book(run.key) }
    try await run.step("receipt") { key in
      try await bank.send("receipt of payment \(run.key)", of: run, idempotencyKey: key)
    }
  }
}

/// The context of a payment: the bank, and the database in which payments are booked.
struct Bank: Sendable {
  let effect: Effect
  private let provider = Provider()

  init(effect: Effect) { self.effect = effect }

  func send(_ what: String, of run: Run<PayInvoice>, idempotencyKey: String) async throws {
    try await provider.deliver(what, of: run.payload.tenant, idempotencyKey: idempotencyKey)
  }

  /// Books a payment.
  ///
  /// The step that books a payment may be repeated, and the second booking changes nothing.
  func book(_ payment: Int64) async throws {
    try await effect.transaction { transaction in
      try await transaction.run(.run(SQL.Payments.bookPayment, payment))
    }
  }
}
