package import BatonPostgres
import Foundation
import RunnerSQL

/// A manual action, as stored in the audit log.
///
/// An audit entry contains ids, states, times and counts. An entry must not contain a payload, an
/// error text, a password or an email address. Audit rows are kept for 400 days and cannot be
/// deleted earlier.
package struct AuditEntry: Sendable {
  /// The action, named as on the command line, for example `runs retry`.
  package var action: String
  /// The object of the action, for example `["run": 12]`.
  package var subject: [String: AuditValue]
  /// The changed fields before and after the action, or nil if the object did not exist.
  package var before, after: [String: AuditValue]?
  /// The filter that selected the objects, for an action on many objects.
  package var filter: [String: AuditValue]?
  /// The number of objects, for an action on many objects.
  package var count: Int?

  /// Creates an entry for an action on one object.
  package init(
    _ action: String, _ subject: [String: AuditValue] = [:], before: [String: AuditValue]? = nil,
    after: [String: AuditValue]? = nil
  ) {
    self.action = action
    self.subject = subject
    self.before = before
    self.after = after
  }

  /// Creates a single entry for an action on many objects.
  package init(
    _ action: String, _ subject: [String: AuditValue] = [:], filter: [String: AuditValue],
    count: Int?, after: [String: AuditValue]? = nil
  ) {
    self.action = action
    self.subject = subject
    self.filter = filter
    self.count = count
    self.after = after
  }

  fileprivate func call() throws -> Call<Void> {
    .run(
      SQL.Audit.record, action, try Self.json(subject), try before.map(Self.json),
      try after.map(Self.json), try filter.map(Self.json), count.map { Int64($0) })
  }

  private static func json(_ fields: [String: AuditValue]) throws -> String {
    String(decoding: try JSONEncoder().encode(fields), as: UTF8.self)
  }
}

/// A value in an audit entry.
package enum AuditValue: Sendable, Equatable, Encodable {
  /// A string, for example a name, a key or a time.
  case text(String)
  /// An integer, for example a count or an id.
  case number(Int64)
  /// A floating-point number.
  case fraction(Double)
  /// A Boolean value.
  case flag(Bool)
  /// A list of values.
  case list([AuditValue])

  /// Encodes the value as plain JSON, without the name of the enum case.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .text(let text): try container.encode(text)
    case .number(let number): try container.encode(number)
    case .fraction(let fraction): try container.encode(fraction)
    case .flag(let flag): try container.encode(flag)
    case .list(let values): try container.encode(values)
    }
  }
}

extension AuditValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByIntegerLiteral
{
  /// Creates a string value.
  package init(stringLiteral text: String) { self = .text(text) }
  /// Creates a Boolean value from a literal.
  package init(booleanLiteral flag: Bool) { self = .flag(flag) }
  /// Creates an integer value.
  package init(integerLiteral number: Int64) { self = .number(number) }
}

extension Transaction {
  /// Appends an entry to the audit log in this transaction.
  ///
  /// Call this method last in the transaction, because every other manual action waits until this
  /// transaction ends. Append only one entry per transaction, because two transactions that append
  /// several entries can deadlock.
  ///
  /// - Throws: `PostgresError`, with SQLSTATE 55P03 if another transaction holds the lock on the
  ///   end of the audit log for 10 s. If the method throws, the transaction is rolled back.
  package func record(_ entry: AuditEntry) async throws {
    try await run(AuditOrigin.call, entry.call())
  }
}

extension Session {
  /// Appends an entry to the audit log for an action that uses several transactions or no
  /// transaction.
  ///
  /// Call this method before the action's first transaction. The entry remains even if the process
  /// stops during the action.
  ///
  /// - Throws: the same errors as ``Transaction/record(_:)``.
  package func record(_ entry: AuditEntry) async throws {
    try await atomically(AuditOrigin.call, entry.call())
  }
}
