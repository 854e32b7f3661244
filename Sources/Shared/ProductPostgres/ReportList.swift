package import BatonPostgres
package import Foundation

/// Reads and closes users' reports for an operator.
package struct ReportList: Sendable {
  /// The statements that a product uses to list reports and close a report.
  package struct Statements: Sendable {
    let list, close: Statement

    /// Creates a value from the statements that list reports and close a report.
    package init(list: Statement, close: Statement) {
      (self.list, self.close) = (list, close)
    }
  }

  private let connection: Connection
  private let schema: Schema
  private let statements: Statements

  /// Creates a reader of a schema's reports.
  ///
  /// While the reader is in use, no other task may use the connection.
  package init(_ connection: Connection, schema: Schema, _ statements: Statements) {
    (self.connection, self.schema, self.statements) = (connection, schema, statements)
  }

  /// The maximum number of reports that one call returns.
  package static let page = 1_000

  /// Returns the next ``page`` reports after a report, oldest first.
  ///
  /// - Parameters:
  ///   - all: Whether closed reports are also returned.
  ///   - last: The last report of the previous page, or nil for the first page.
  /// - Throws: `PostgresError`.
  package func reports(
    all: Bool, after last: ListedReport?
  ) async throws(PostgresError) -> [ListedReport] {
    let list = Call.rows(
      statements.list, all, last?.position.at, last?.position.id, Int64(Self.page)
    ) { (row) throws(PostgresError) in
      let (
        id, createdAt, at, reporter, reporterName, reported, reportedName, group, reason, note,
        messageId, message, closedAt, closedBy
      ) = try row.decode(
        UUID.self, String.self, Timestamp.self, String?.self, String?.self, String.self,
        String.self, String.self, String.self, String.self, UUID?.self, String?.self, String?.self,
        String?.self)
      return ListedReport(
        id: id.uuidString.lowercased(), createdAt: createdAt,
        state: closedAt == nil ? "open" : "closed", reporter: reporter,
        reporterName: reporterName, reported: reported, reportedName: reportedName, group: group,
        reason: reason, note: note, messageId: messageId?.uuidString.lowercased(),
        message: message, closedAt: closedAt, closedBy: closedBy,
        position: .init(at: at, id: id))
    }
    return try await connection.atomically(in: schema, list)
  }

  /// Closes a report, and records the action in the audit log.
  ///
  /// - Parameter sayWho: A call that records, for the audit log, which operator closes the report.
  /// - Returns: False if the report was already closed, or nil if no report has the given id.
  /// - Throws: `PostgresError`.
  package func close(_ id: UUID, sayWho: Call<Void>) async throws(PostgresError) -> Bool? {
    let close = Call<Bool?>.row(statements.close, id) { (row) throws(PostgresError) in
      try row.decode(Bool?.self)
    }
    let (_, wasOpen): (Void, Bool?) = try await connection.atomically(in: schema, sayWho, close)
    return wasOpen
  }
}

/// A report with the data that an operator sees.
package struct ListedReport: Sendable, Encodable {
  /// The position of a report in the list.
  struct Position: Sendable {
    let at: Timestamp
    let id: UUID
  }

  /// The report's id.
  package let id: String
  /// The time when the report was sent, in UTC and ISO 8601 format.
  package let createdAt: String
  /// The state `open` or `closed`.
  package let state: String
  /// The id and the name of the user who sent the report, or nil if the account was deleted.
  package let reporter, reporterName: String?
  /// The id and the name of the reported user.
  package let reported, reportedName: String
  /// The id of the group, the reason, and the reporter's note.
  package let group, reason, note: String
  /// The id and the text of the reported message, or nil for a report about a user.
  package let messageId, message: String?
  /// The time when the report was closed and the login that closed it, or nil for an open report.
  package let closedAt, closedBy: String?
  let position: Position

  private enum CodingKeys: CodingKey {
    case id, createdAt, state, reporter, reporterName, reported, reportedName, group, reason, note
    case messageId, message, closedAt, closedBy
  }
}
