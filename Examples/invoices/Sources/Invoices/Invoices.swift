import Baton
import BatonPostgres
import InvoicesSQL

/// The `invoices` program, with its jobs and its schema module.
@main
struct Invoices: Application {
  static let name = "invoices"
  static let abstract = "Send invoices, reminders and reports, and collect payments."
  static let release = 1
  static let jobs = [
    RegisteredJob(SendMail.self) { _ in Provider() },
    RegisteredJob(PlanReminders.self) { Office($0) },
    RegisteredJob(RemindCustomer.self) { Office($0) },
    RegisteredJob(PlanReports.self) { Office($0) },
    RegisteredJob(ReportMonth.self) { Office($0) },
    RegisteredJob(ImportLines.self) { Office($0) },
    RegisteredJob(StartExport.self) { Office($0) },
    RegisteredJob(ExportChunk.self) { Office($0) },
    RegisteredJob(ArchiveExport.self) { Office($0) },
    RegisteredJob(PayInvoice.self) { Bank(effect: $0) },
  ]
  static let parts = [SQL.invoices]
}
