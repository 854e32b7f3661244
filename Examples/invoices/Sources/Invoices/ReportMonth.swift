import BatonJobs
import BatonPostgres
import Foundation
import InvoicesSQL

/// Reports a tenant's invoices of the month before the scheduled time, and emails the report.
///
/// The scheduled time determines the month, so a late run reports the same month.
struct ReportMonth: BatchJob {
  static let definition = Definition<Self>("report-month")

  let tenant: Int64

  static func run(_ batch: [Run<Self>], in office: Office) async throws {
    let occurrences = batch.map {
      Timestamp(microseconds: Int64($0.scheduledFor.timeIntervalSince1970) * 1_000_000)
    }
    let reports = try await office.transaction.run(
      .rows(
        SQL.Reports.reportMonths, batch.map(\.payload.tenant), occurrences,
        as: Int64.self, String.self, String.self))
    try await office.enqueue(
      reports.map { SendMail(tenant: $0.0, to: $0.1, about: "report of \($0.2)") })
  }
}
