package import BatonPostgres
import RunnerSQL

/// What a row of the audit is called: its day and its number in that.
package struct AuditRowID: Sendable, Equatable, CustomStringConvertible {
  let day: String
  let number: Int32

  /// From `2026-11-23/17`; nil for anything else.
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

/// One row of the audit, as a list shows it.
package struct ListedAudit: Sendable {
  /// What it is called.
  package let id: String
  /// When, ISO 8601 in UTC by the server's clock.
  package let at: String
  /// Who logged in, and the role that they acted as.
  package let login, role: String
  /// `user@host` of the operating system, as the program said.
  package let from: String?
  /// What was done.
  package let action: String
  /// Of what, as JSON.
  package let subject: String
  /// What of it changed, as JSON.
  package let before, after: String?
  /// Of an action on many things, which, as JSON.
  package let filter: String?
  /// How many they were.
  package let count: Int64?
  /// All of it as one JSON object.
  package let object: String
}

/// Which rows of the audit are listed; nil is any.
package struct AuditFilter: Sendable {
  /// From when on, and until when, not included.
  package var since, until: Timestamp?
  /// The one action.
  package var action: String?
  /// A login, a role or a user of the operating system.
  package var who: String?
  /// Ahead of which row: the last one of the page before.
  package var before: AuditRowID?

  /// All of them.
  package init() {}
}

extension Queue {
  /// What was done by hand, newest first.
  ///
  /// - Throws: `PostgresError`: 22008 where the row's day is none.
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
