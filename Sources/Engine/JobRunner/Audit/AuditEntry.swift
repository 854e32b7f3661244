package import BatonPostgres
import Foundation
import RunnerSQL

/// A manual action, as the audit log stores it.
///
/// It holds ids, states, times and counts. It must not contain a payload, an error text, a password or a mail
/// address: a row stays for 400 days and cannot be removed before.
package struct AuditEntry: Sendable {
  /// The action, in the command's words: `runs retry`.
  package var action: String
  /// The object of the action: `["run": 12]`.
  package var subject: [String: AuditValue]
  /// The changed fields before and after the action; nil if the object did not exist then.
  package var before, after: [String: AuditValue]?
  /// For an action on many objects: the filter that selected them.
  package var filter: [String: AuditValue]?
  /// The number of these objects.
  package var count: Int?

  /// An entry.
  package init(
    _ action: String, _ subject: [String: AuditValue] = [:], before: [String: AuditValue]? = nil,
    after: [String: AuditValue]? = nil
  ) {
    self.action = action
    self.subject = subject
    self.before = before
    self.after = after
  }

  /// The single entry of an action on many objects.
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

/// A value in an entry of the audit.
package enum AuditValue: Sendable, Equatable, Encodable {
  /// A name, a key, an instant.
  case text(String)
  /// A number or an id.
  case number(Int64)
  /// A fraction.
  case fraction(Double)
  /// True or false.
  case flag(Bool)
  /// Several values.
  case list([AuditValue])

  /// Encodes the value without a key.
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
  /// A text.
  package init(stringLiteral text: String) { self = .text(text) }
  /// A flag.
  package init(booleanLiteral flag: Bool) { self = .flag(flag) }
  /// A number.
  package init(integerLiteral number: Int64) { self = .number(number) }
}

extension Transaction {
  /// Appends to the audit log what this transaction does, if it commits.
  ///
  /// Call it last in the transaction: until the transaction commits, all other manual actions wait. Append only one
  /// entry in a transaction: two transactions with several entries could deadlock.
  ///
  /// - Throws: `PostgresError`: 55P03 if another transaction has held the end of the audit log for 10 s; everything
  ///   is then rolled back.
  package func record(_ entry: AuditEntry) async throws {
    try await run(AuditOrigin.call, entry.call())
  }
}

extension Session {
  /// Appends to the audit log an action that uses several transactions, or none.
  ///
  /// Call it before the first of them: the process may stop before it reaches the end.
  ///
  /// - Throws: `PostgresError`, as ``Transaction/record(_:)``.
  package func record(_ entry: AuditEntry) async throws {
    try await atomically(AuditOrigin.call, entry.call())
  }
}
