/// Parses a file of check-ins for the oracle.
///
/// The parser shares no code with the tested system.
///
/// The parser is strict. If the form of a line is unknown, the test stops, so that the oracle never
/// misinterprets a line.
package enum OracleReader {
  /// The reason why a file cannot be read.
  package struct Failure: Error, Equatable, CustomStringConvertible {
    /// The number of the line on which the malformed record begins.
    ///
    /// The header is line 1.
    package let line: Int
    /// The mistake in the line.
    package let reason: String

    /// The reason, the line, and the next step.
    package var description: String {
      "\(reason), on line \(line) of the check-ins; correct the file that the test reads."
    }
  }

  /// Returns the check-ins of a file, in file order.
  ///
  /// - Parameter file: the content of a CSV file (RFC 4180) with the `group,member,occurred_at`
  ///   header.
  /// - Returns: one value for every line after the header.
  /// - Throws: `Failure` for the first malformed line.
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
