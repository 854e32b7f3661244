package import BatonPostgres
import Foundation
import RunnerSQL

/// What somebody does by hand, as the audit keeps it.
///
/// It holds ids, states, times and counts. No payload, error text, password or mail address belongs in it: a
/// row stays for 400 days and nobody can take anything out.
package struct AuditEntry: Sendable {
  /// What is done, in the command's words: `runs retry`.
  package var action: String
  /// What it is done to: `["run": 12]`.
  package var subject: [String: AuditValue]
  /// What of that changes, as it was and as it is; nil where there was or is nothing of it.
  package var before, after: [String: AuditValue]?
  /// Of an action on many things at once: which were asked for.
  package var filter: [String: AuditValue]?
  /// How many there were.
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

  /// The one entry of an action on many things at once.
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
  /// A share.
  case fraction(Double)
  /// Whether.
  case flag(Bool)
  /// Several.
  case list([AuditValue])

  /// The value alone.
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
  /// Appends to the audit what this transaction does, if it commits.
  ///
  /// The last thing in it: until it commits, everybody else who does something by hand waits. One entry in a
  /// transaction: two transactions of several could wait crosswise.
  ///
  /// - Throws: `PostgresError`: 55P03 where somebody else's transaction has held the end of the audit for
  ///   10 s; everything is then rolled back.
  package func record(_ entry: AuditEntry) async throws {
    try await run(AuditOrigin.call, entry.call())
  }
}

extension Session {
  /// Appends to the audit what is done by hand in several transactions, or outside of any: ahead of the first,
  /// because what comes behind the last may never come.
  ///
  /// - Throws: `PostgresError`, as ``Transaction/record(_:)``.
  package func record(_ entry: AuditEntry) async throws {
    try await atomically(AuditOrigin.call, entry.call())
  }
}
