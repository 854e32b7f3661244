import BatonPostgres
import PresenceSQL
import ProductCommands
import ProductPostgres

extension WhosThere: ReportingApplication {
  static let reports = ReportList.Statements(
    list: SQL.Reports.listReports, close: SQL.Reports.closeReport)
  static let reportedThings = "users and messages"
}
