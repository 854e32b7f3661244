package import BatonPostgres
import RunnerSQL

/// A fault in the audit log.
package struct AuditFault: Sendable, Equatable {
  /// The kind of a fault.
  package enum Kind: String, Sendable, Encodable {
    /// A row differs from the row that was appended.
    case changed
    /// A row does not contain the hash of the previous row, because rows were removed, inserted or
    /// rewritten.
    case torn
    /// A row has an unexpected number.
    case misnumbered
    /// The last row differs from the stored end of the chain, because rows were removed or added at
    /// the end.
    case end
    /// Neither a row nor the last purged row has the hash that the caller expects, because the last
    /// rows were removed, or rows were rewritten.
    case absent
  }

  /// The kind of this fault.
  package let kind: Kind
  /// The name of the affected row, or nil if no row is affected.
  ///
  /// For a fault of kind ``Kind/end``, the value is the name of the expected last row.
  package let row: String?
}

/// The result of checking the audit log.
package struct VerifiedAudit: Sendable, Equatable {
  /// The number of checked rows, and the number of days with checked rows.
  package var rows = 0, days = 0
  /// The number of faults in the audit log.
  package var faults = 0
  /// The name of the last row, or nil if the audit log is empty.
  package var last: String?
  /// The hash of the last row, in hexadecimal digits.
  ///
  /// If the audit log is empty, the value is the hash of the last purged row, or zeros if the audit
  /// log has never had a row.
  ///
  /// Store a copy of this hash outside the database: a later check with the copy detects rewritten
  /// rows.
  package var lastHash = ""
}

/// A check of the audit log's hash chain, page by page.
///
/// The check holds only one page of rows in memory, and no transaction stays open between pages.
package struct AuditVerification: Sendable {
  private let session: Session
  private let pageSize: Int

  /// Creates a check that reads the audit log in the given session.
  ///
  /// No other task may use the session during the check.
  package init(_ session: Session, pageSize: Int = 5000) {
    self.session = session.freely
    self.pageSize = pageSize
  }

  /// Returns the current number of rows in the audit log.
  ///
  /// - Throws: `PostgresError`.
  package func count() async throws(PostgresError) -> Int {
    let count = Call.row(SQL.Audit.countRows) { (row) throws(PostgresError) in
      try row.decode(Int64.self)
    }
    let rows: Int64 = try await session.atomically(count)
    return Int(rows)
  }

  /// Checks all rows, oldest first.
  ///
  /// Rows that are appended or purged during the check do not cause faults.
  ///
  /// - Parameters:
  ///   - lastHash: the hash of a row that must exist or must be the last purged row, in hexadecimal
  ///     digits, or nil to require no row.
  ///   - tell: called with each fault, in row order.
  ///   - show: called after each page with the number of rows checked so far.
  /// - Throws: `PostgresError`, or any error that `tell` or `show` throws.
  package func verify(
    lastHash: String? = nil, tell: (AuditFault) throws -> Void,
    show: (Int) async throws -> Void = { _ in }
  ) async throws -> VerifiedAudit {
    var result = VerifiedAudit()
    var (isSeen, place) = (false, Place())
    while true {
      let page = try await page(behind: place, lastHash)
      result.rows += page.rows
      result.days += page.days
      isSeen = isSeen || page.isSeen
      place = page.last
      var faults = page.faults
      if page.isEnd, !place.isEnd(page.end) {
        faults.append(AuditFault(kind: .end, row: page.end.name))
      }
      if page.isEnd, lastHash != nil, !isSeen { faults.append(AuditFault(kind: .absent, row: nil)) }
      result.faults += faults.count
      for fault in faults { try tell(fault) }
      try await show(result.rows)
      guard !page.isEnd else { break }
    }
    result.last = result.rows > 0 ? place.name : nil
    result.lastHash = place.hash ?? ""
    return result
  }

  // MARK: Pages

  /// A position in the hash chain.
  ///
  /// At the position before the first row, the `row` property is nil.
  private struct Place {
    var row: AuditRowID?
    var hash: String?

    var name: String? { row?.description }

    /// Returns whether this position is the stored end of the chain.
    ///
    /// If all rows were purged, the stored end is the last purged row.
    func isEnd(_ written: Place) -> Bool {
      written.hash != nil && written.hash == hash && (row == nil || row == written.row)
    }
  }

  private struct Page: Sendable {
    let rows, days: Int
    let last: Place
    let faults: [AuditFault]
    let isEnd: Bool
    let end: Place
    let isSeen: Bool
  }

  private func page(
    behind place: Place, _ wanted: String?
  ) async throws(PostgresError) -> Page {
    let verify = Call.row(
      SQL.Audit.verify, place.row?.day, place.row?.number, place.hash, Int64(pageSize), wanted
    ) { (row) throws(PostgresError) in
      let (rows, days, day, number, hash, faults, isEnd, end, endHash, isSeen) = try row.decode(
        Int64.self, Int64.self, String?.self, Int32?.self, String?.self, String.self, Bool.self,
        String?.self, String?.self, Bool.self)
      let last = day.flatMap { day in number.map { AuditRowID(day: day, number: $0) } }
      return Page(
        rows: Int(rows), days: Int(days), last: Place(row: last, hash: hash),
        faults: faults.split(separator: "\n").compactMap(Self.fault), isEnd: isEnd,
        end: Place(row: end.flatMap(AuditRowID.init), hash: endHash), isSeen: isSeen)
    }
    return try await session.atomically(verify)
  }

  private static func fault(_ line: Substring) -> AuditFault? {
    let parts = line.split(separator: " ")
    guard parts.count == 2, let kind = AuditFault.Kind(rawValue: String(parts[0])) else {
      return nil
    }
    return AuditFault(kind: kind, row: String(parts[1]))
  }
}
