/// A file of check-ins with the header `group,member,occurred_at`, plain or gzip.
///
/// The format is CSV of RFC 4180: fields may be quoted, quotes inside are doubled, lines end in LF or CRLF, the last
/// line may have no line end, and a byte order mark is skipped. Names have 1...90 bytes of UTF-8 without control
/// characters. A time has seconds and an offset, as in `2024-02-29T23:59:59.5+05:45` or `...Z`.
///
/// Names contain no line breaks, so a record is always one line. A missing closing quote therefore makes only its own
/// line malformed, never the lines after it.
package struct CheckInFile: Sendable {
  /// The valid lines in the order of the file.
  package let checkIns: [CheckIn]
  /// The malformed lines in the order of the file; empty unless `keepGoing` is true.
  package let malformed: [MalformedLine]
  /// The decompressed bytes of the file, by which the contents of two files can be compared.
  package let content: [UInt8]

  /// Reads a whole file.
  ///
  /// Blocks the calling thread: 0.1 s for 160,000 lines (seven times that without optimisation).
  ///
  /// - Parameters:
  ///   - path: the file; its first bytes show whether it is gzip.
  ///   - keepGoing: collect malformed lines instead of stopping at the first.
  /// - Returns: the lines and the content.
  /// - Throws: `CheckInFileError` for a file that cannot be read, is damaged or has another header, and for the first
  ///   malformed line without `keepGoing`.
  package static func read(
    path: String, keepGoing: Bool = false
  ) throws(CheckInFileError) -> CheckInFile {
    let content = try GzipReader.read(path: path)
    return try content.withUnsafeBufferPointer { bytes throws(CheckInFileError) in
      var lines = PhysicalLines(bytes)
      try checkHeader(lines.next(), path)
      var checkIns: [CheckIn] = []
      // Lines of the real file have 39 bytes.
      checkIns.reserveCapacity(bytes.count / 39)
      var malformed: [MalformedLine] = []
      while let line = lines.next() {
        do throws(LineFault) {
          checkIns.append(try CheckIn(line: line, number: lines.number))
        } catch {
          let fault = MalformedLine(line: lines.number, reason: error.description)
          guard keepGoing else { throw CheckInFileError(fault, path) }
          malformed.append(fault)
        }
      }
      return CheckInFile(checkIns: checkIns, malformed: malformed, content: content)
    }
  }

  private static func checkHeader(
    _ line: UnsafeBufferPointer<UInt8>?, _ path: String
  ) throws(CheckInFileError) {
    let expected = ["group", "member", "occurred_at"]
    let next = "Make `\(expected.joined(separator: ","))` the first line."
    guard let line else {
      throw CheckInFileError("The file is empty.", place: path, next: next)
    }
    let fields = try? CSVLine.fields(line)
    guard fields == expected.map({ Array($0.utf8) }) else {
      throw CheckInFileError(
        "The first line is not the header of a check-in file.", place: "\(path), line 1",
        next: next)
    }
  }
}

/// A line that is not a check-in.
package struct MalformedLine: Equatable, Sendable {
  /// The number of the line, counted from 1; the header is line 1.
  package let line: Int
  /// The reason why it is malformed.
  package let reason: String

  /// A malformed line and the reason.
  package init(line: Int, reason: String) {
    self.line = line
    self.reason = reason
  }
}

extension CheckInFileError {
  fileprivate init(_ malformed: MalformedLine, _ path: String) {
    self.init(
      "A line is malformed: \(malformed.reason).", place: "\(path), line \(malformed.line)",
      next: "Correct that line, or leave such lines out with --keep-going.")
  }
}
