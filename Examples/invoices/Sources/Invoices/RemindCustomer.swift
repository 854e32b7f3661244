import BatonJobs
import BatonPostgres
import InvoicesSQL

/// Reminds a customer of an unpaid invoice, seven days after the due date.
struct RemindCustomer: BatchJob {
  static let definition = Definition<Self>("remind-customer")

  /// The invoice's id.
  typealias Key = Int64

  static func run(_ batch: [Run<Self>], in office: Office) async throws {
    let reminders = try await office.transaction.run(
      .rows(
        SQL.Reminders.remindCustomers, batch.map(\.key), as: Int64.self, String.self, Int64.self))
    try await office.enqueue(
      reminders.map { SendMail(tenant: $0.0, to: $0.1, about: "reminder of invoice \($0.2)") })
  }
}
