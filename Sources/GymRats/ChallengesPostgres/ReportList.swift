public import BatonPostgres
import ChallengesSQL
public import Foundation

/// Reads and closes users' reports for an operator.
public struct ReportList: Sendable {
  private let connection: Connection
  private let schema: Schema

  /// Creates a reader of a schema's reports.
  ///
  /// While the reader is in use, no other task may use the connection.
  public init(_ connection: Connection, schema: Schema) {
    self.connection = connection
    self.schema = schema
  }

  /// The maximum number of reports that one call returns.
  public static let page = 1_000

  /// Returns the next ``page`` reports after a report, oldest first.
  ///
  /// - Parameters:
  ///   - all: Whether closed reports are also returned.
  ///   - last: The last report of the previous page, or nil for the first page.
  /// - Throws: `PostgresError`.
  public func reports(
    all: Bool, after last: ListedReport?
  ) async throws(PostgresError) -> [ListedReport] {
    let list = Call.rows(
      SQL.Reports.listReports, all, last?.position.at, last?.position.id, Int64(Self.page)
    ) { (row) throws(PostgresError) in
      let (
        id, createdAt, at, reporter, reporterName, reported, reportedName, group, reason, note,
        closedAt, closedBy
      ) = try row.decode(
        UUID.self, String.self, Timestamp.self, String?.self, String?.self, String.self,
        String.self, String.self, String.self, String.self, String?.self, String?.self)
      return ListedReport(
        id: id.uuidString.lowercased(), createdAt: createdAt,
        state: closedAt == nil ? "open" : "closed", reporter: reporter,
        reporterName: reporterName, reported: reported, reportedName: reportedName, group: group,
        reason: reason, note: note, closedAt: closedAt, closedBy: closedBy,
        position: .init(at: at, id: id))
    }
    return try await connection.atomically(in: schema, list)
  }

  /// Closes a report, and records the action in the audit log.
  ///
  /// - Parameter sayWho: A call that records, for the audit log, which operator closes the report.
  /// - Returns: False if the report was already closed, or nil if no report has the id.
  /// - Throws: `PostgresError`.
  public func close(_ id: UUID, sayWho: Call<Void>) async throws(PostgresError) -> Bool? {
    let close = Call<Bool?>.row(SQL.Reports.closeReport, id) { (row) throws(PostgresError) in
      try row.decode(Bool?.self)
    }
    let (_, wasOpen): (Void, Bool?) = try await connection.atomically(in: schema, sayWho, close)
    return wasOpen
  }
}

/// A report with the data that an operator sees.
public struct ListedReport: Sendable, Encodable {
  /// The position of a report in the list.
  struct Position: Sendable {
    let at: Timestamp
    let id: UUID
  }

  /// The report's id.
  public let id: String
  /// The instant at which the report was sent, in UTC and the ISO 8601 format.
  public let createdAt: String
  /// The state of the report: `open` or `closed`.
  public let state: String
  /// The id and the name of the user who sent the report, or nil if the account was deleted.
  public let reporter, reporterName: String?
  /// The id and the name of the reported user.
  public let reported, reportedName: String
  /// The id of the group, the reason, and the reporter's note.
  public let group, reason, note: String
  /// The instant at which the report was closed and the login that closed the report, or nil for an
  /// open report.
  public let closedAt, closedBy: String?
  let position: Position

  private enum CodingKeys: CodingKey {
    case id, createdAt, state, reporter, reporterName, reported, reportedName, group, reason, note
    case closedAt, closedBy
  }
}
