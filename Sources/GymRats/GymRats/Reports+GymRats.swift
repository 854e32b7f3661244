import BatonPostgres
import ChallengesSQL
import ProductCommands
import ProductPostgres

extension GymRats: ReportingApplication {
  static let reports = ReportList.Statements(
    list: SQL.Reports.listReports, close: SQL.Reports.closeReport)
  static let reportedThings = "other users"
}
