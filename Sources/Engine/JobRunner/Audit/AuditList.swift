package import BatonPostgres
import RunnerSQL

/// The identifier of a row in the audit log: the day, and the row's number within that day.
package struct AuditRowID: Sendable, Equatable, CustomStringConvertible {
  let day: String
  let number: Int32

  /// Parses an identifier such as `2026-11-23/17`, or returns nil if the format is invalid.
  package init?(_ text: String) {
    guard let match = text.wholeMatch(of: /([0-9]{4}-[0-9]{2}-[0-9]{2})\/([0-9]{1,9})/),
      let number = Int32(match.output.2)
    else { return nil }
    day = String(match.output.1)
    self.number = number
  }

  init(day: String, number: Int32) {
    self.day = day
    self.number = number
  }

  /// The identifier as a string, for example `2026-11-23/17`.
  package var description: String { "\(day)/\(number)" }
}

/// One row in a list of the audit log.
package struct ListedAudit: Sendable {
  /// The row's identifier, for example `2026-11-23/17`.
  package let id: String
  /// The time of the action by the server's clock, in UTC and ISO 8601 format.
  package let at: String
  /// The database login and the active database role of the session that performed the action.
  package let login, role: String
  /// The operating system's `user@host`, as reported by the program.
  package let from: String?
  /// The action, for example `runs retry`.
  package let action: String
  /// The object of the action, as JSON.
  package let subject: String
  /// The changed fields before and after the action, as JSON.
  package let before, after: String?
  /// The filter that selected the objects, as JSON, for an action on many objects.
  package let filter: String?
  /// The number of objects, for an action on many objects.
  package let count: Int64?
  /// The whole row as one JSON object.
  package let object: String
}

/// A filter for rows of the audit log.
///
/// A property that is nil matches every value.
package struct AuditFilter: Sendable {
  /// The inclusive start and the exclusive end of the time range.
  package var since, until: Timestamp?
  /// The action of the rows to select, for example `runs retry`.
  package var action: String?
  /// The login, role or operating system user of the rows to select.
  package var who: String?
  /// The previous page's last row.
  ///
  /// Only rows older than this row are selected.
  package var before: AuditRowID?

  /// Creates a filter that selects all rows.
  package init() {}
}

extension Queue {
  /// Returns manual actions from the audit log, newest first.
  ///
  /// - Throws: `PostgresError`, with SQLSTATE 22008 if the day in ``AuditFilter/before`` is not a
  ///   valid date.
  package func audit(_ filter: AuditFilter, limit: Int) async throws(PostgresError) -> [ListedAudit]
  {
    let list = Call.rows(
      SQL.Audit.list, filter.since, filter.until, filter.action, filter.who, filter.before?.day,
      filter.before?.number, Int64(limit)
    ) { (row) throws(PostgresError) in
      let (id, at, login, role, from, action, subject, before, after, filter, count, object) =
        try row.decode(
          String.self, String.self, String.self, String.self, String?.self, String.self,
          String.self, String?.self, String?.self, String?.self, Int64?.self, String.self)
      return ListedAudit(
        id: id, at: at, login: login, role: role, from: from, action: action, subject: subject,
        before: before, after: after, filter: filter, count: count, object: object)
    }
    return try await session.freely.atomically(list)
  }
}
