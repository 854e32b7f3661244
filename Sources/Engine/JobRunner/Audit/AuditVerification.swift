package import BatonPostgres
import RunnerSQL

/// What is wrong with the audit in one place.
package struct AuditFault: Sendable, Equatable {
  /// What kind of wrong.
  package enum Kind: String, Sendable, Encodable {
    /// A row is not what was appended.
    case changed
    /// It does not follow the one before: rows were removed, inserted or written anew there.
    case torn
    /// It has another number than comes next.
    case misnumbered
    /// The last row is not where the chain ends: rows were cut off or put behind it.
    case end
    /// No row has the hash that was given: the end was cut off, or was written anew from some row on.
    case absent
  }

  /// What.
  package let kind: Kind
  /// The row's name; at the end the one that ought to be last; nil where there is none.
  package let row: String?
}

/// What a check of the audit came to.
package struct VerifiedAudit: Sendable, Equatable {
  /// How many rows and days there are.
  package var rows = 0, days = 0
  /// How much is wrong.
  package var faults = 0
  /// The name and the hash of the last row; no name where there is none.
  package var last: String?
  /// The hash in hexadecimal digits, to be kept elsewhere.
  package var lastHash = ""
}

/// Checks the chain of the audit, page by page: with any number of rows it takes the memory of one page, and
/// holds no transaction open.
package struct AuditVerification: Sendable {
  private let session: Session
  private let pageSize: Int

  /// A check through a session that nobody else uses meanwhile.
  package init(_ session: Session, pageSize: Int = 5000) {
    self.session = session.freely
    self.pageSize = pageSize
  }

  /// How many rows there are now.
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
  /// What is appended or purged meanwhile breaks nothing.
  ///
  /// - Parameters:
  ///   - lastHash: that of a row which must be there, in hexadecimal digits; nil: none.
  ///   - tell: each fault, in the order of the rows.
  ///   - show: how many rows were looked at, after each page.
  /// - Throws: `PostgresError`, and what the closures throw.
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

  /// A row, or where there is none yet.
  private struct Place {
    var row: AuditRowID?
    var hash: String?

    var name: String? { row?.description }

    /// Whether the chain ends here, as it is written down; where all rows were purged, that is the last of those.
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
