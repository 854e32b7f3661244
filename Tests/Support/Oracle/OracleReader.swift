/// Reads a file of check-ins for the oracle, with code of its own.
///
/// Strict on purpose: whatever it does not know stops the test, so that the oracle never guesses
/// what a line means.
package enum OracleReader {
  /// Why a file cannot be read.
  package struct Failure: Error, Equatable, CustomStringConvertible {
    /// The line on which the bad record begins; the header is line 1.
    package let line: Int
    /// What is wrong with it.
    package let reason: String

    /// The reason, the line, and what to do.
    package var description: String {
      "\(reason), on line \(line) of the check-ins; correct the file that the test reads."
    }
  }

  /// The check-ins of a file, in file order.
  ///
  /// - Parameter file: CSV by RFC 4180 with the header `group,member,occurred_at`.
  /// - Returns: one value for every line after the header.
  /// - Throws: `Failure` at the first line that is not exactly as expected.
  package static func lines(of file: [UInt8]) throws -> [CheckInLine] {
    var records = OracleCSVRecords(of: file)
    let header = try records.next()?.fields.map(Name.init)
    guard header == ["group", "member", "occurred_at"] else {
      throw Failure(line: 1, reason: "The header is not group,member,occurred_at")
    }
    var lines: [CheckInLine] = []
    while let record = try records.next() {
      lines.append(try checkIn(of: record))
    }
    return lines
  }

  private static func checkIn(of record: OracleCSVRecords.Record) throws -> CheckInLine {
    guard record.fields.count == 3 else {
      throw Failure(line: record.line, reason: "There are \(record.fields.count) fields, not 3")
    }
    for field in record.fields {
      guard !field.isEmpty else {
        throw Failure(line: record.line, reason: "A field is empty")
      }
      guard Array(String(decoding: field, as: UTF8.self).utf8) == field else {
        throw Failure(line: record.line, reason: "A field is not UTF-8")
      }
    }
    guard let time = OracleTimestamp(of: record.fields[2]) else {
      throw Failure(line: record.line, reason: "The time \(Name(record.fields[2])) is not one")
    }
    return CheckInLine(
      group: record.fields[0], member: record.fields[1],
      instant: time.instant, utcOffset: time.utcOffset, line: record.line)
  }
}
