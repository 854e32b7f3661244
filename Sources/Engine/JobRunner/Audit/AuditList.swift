package import BatonPostgres
import RunnerSQL

/// The name of a row of the audit log: its day and its number within the day.
package struct AuditRowID: Sendable, Equatable, CustomStringConvertible {
  let day: String
  let number: Int32

  /// Parses `2026-11-23/17`; returns nil for any other text.
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

  /// `2026-11-23/17`.
  package var description: String { "\(day)/\(number)" }
}

/// One row of the audit log, as a list shows it.
package struct ListedAudit: Sendable {
  /// The name of the row.
  package let id: String
  /// The time in ISO 8601, UTC, by the server's clock.
  package let at: String
  /// The login, and the role that it acted as.
  package let login, role: String
  /// `user@host` of the operating system, as the program reported it.
  package let from: String?
  /// The action.
  package let action: String
  /// The object of the action, as JSON.
  package let subject: String
  /// The changed fields before and after the action, as JSON.
  package let before, after: String?
  /// For an action on many objects: the filter that selected them, as JSON.
  package let filter: String?
  /// The number of these objects.
  package let count: Int64?
  /// The whole row as one JSON object.
  package let object: String
}

/// Selects rows of the audit log; nil means any.
package struct AuditFilter: Sendable {
  /// The start, included, and the end, not included.
  package var since, until: Timestamp?
  /// Only this action.
  package var action: String?
  /// A login, a role or a user of the operating system.
  package var who: String?
  /// Only rows older than this one: the last row of the previous page.
  package var before: AuditRowID?

  /// Selects all rows.
  package init() {}
}

extension Queue {
  /// Returns manual actions, newest first.
  ///
  /// - Throws: `PostgresError`: 22008 if the day in the row's name is not a valid date.
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
