import BatonJobs
import BatonPostgres
import InvoicesSQL

/// Plans the reminder of each new invoice, and moves the reminder if the due date changes.
struct PlanReminders: BatchJob {
  static let definition = Definition<Self>(
    "plan-reminders", on: [.table("invoice", on: .insert, .update(of: "due_at"), key: "id")])

  /// The invoice's id.
  typealias Key = Int64

  static func run(_ batch: [Run<Self>], in office: Office) async throws {
    try await office.transaction.run(.run(SQL.Reminders.planReminders, batch.map(\.key)))
  }
}
