/// A file of check-ins with the `group,member,occurred_at` header, uncompressed or compressed with
/// gzip.
///
/// The format is CSV according to RFC 4180. Fields may be quoted, and quotes inside a quoted field
/// are doubled. Lines end in LF or CRLF, and the line ending of the last line is optional. A byte
/// order mark is skipped. Names must be 1 to 90 bytes of UTF-8 without control characters. A time
/// includes seconds and a UTC offset, for example `2024-02-29T23:59:59.5+05:45` or
/// `2024-02-29T23:59:59Z`.
///
/// Names contain no line breaks, so a record is always one line. If a closing quote is missing,
/// only the line with the opening quote is malformed.
package struct CheckInFile: Sendable {
  /// The valid lines, in file order.
  package let checkIns: [CheckIn]
  /// The malformed lines, in file order.
  ///
  /// The list is empty unless `keepGoing` is true.
  package let malformed: [MalformedLine]
  /// The file's decompressed bytes, for comparing the contents of two files.
  package let content: [UInt8]

  /// Reads a whole file.
  ///
  /// The method blocks the calling thread. Reading 160,000 lines takes 0.1 s, or seven times as
  /// long in an unoptimized build.
  ///
  /// - Parameters:
  ///   - path: the file's path. The file's first bytes determine whether it is decompressed.
  ///   - keepGoing: true to collect malformed lines, or false to throw an error for the first
  ///     malformed line.
  /// - Returns: the file's lines and content.
  /// - Throws: `CheckInFileError` if the file cannot be read, is damaged or has an unexpected
  ///   header. If `keepGoing` is false, a malformed line also causes a `CheckInFileError`.
  package static func read(
    path: String, keepGoing: Bool = false
  ) throws(CheckInFileError) -> CheckInFile {
    let content = try GzipReader.read(path: path)
    return try content.withUnsafeBufferPointer { bytes throws(CheckInFileError) in
      var lines = PhysicalLines(bytes)
      try checkHeader(lines.next(), path)
      var checkIns: [CheckIn] = []
      // A line is about 39 bytes long.
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

/// A line that is not a valid check-in.
package struct MalformedLine: Equatable, Sendable {
  /// The line number in the file.
  ///
  /// The header is line 1.
  package let line: Int
  /// The reason why the line is malformed.
  package let reason: String

  /// Creates a value that describes a malformed line.
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
