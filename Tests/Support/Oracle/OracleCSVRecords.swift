/// Reads the records of a CSV file (RFC 4180), one after another.
struct OracleCSVRecords {
  /// The fields of one record, and the number of the line on which the record begins.
  struct Record {
    var fields: [[UInt8]]
    let line: Int
  }

  private static let quote = UInt8(ascii: "\"")
  private static let comma = UInt8(ascii: ",")
  private static let newline = UInt8(ascii: "\n")
  private static let carriageReturn = UInt8(ascii: "\r")

  private let file: [UInt8]
  private var place = 0
  private var line = 1

  init(of file: [UInt8]) {
    self.file = file
  }

  /// Returns the next record, or nil at the end of the file.
  ///
  /// The last line may lack a line ending.
  mutating func next() throws -> Record? {
    guard place < file.count else { return nil }
    var record = Record(fields: [], line: line)
    while true {
      record.fields.append(try nextField(of: record))
      guard place < file.count else { return record }
      guard file[place] == Self.comma else {
        try passLineEnd(of: record)
        return record
      }
      place += 1
    }
  }

  private mutating func nextField(of record: Record) throws -> [UInt8] {
    if place < file.count, file[place] == Self.quote {
      return try quotedField(of: record)
    }
    let start = place
    while place < file.count {
      let byte = file[place]
      if byte == Self.comma || byte == Self.newline || byte == Self.carriageReturn { break }
      guard byte != Self.quote else {
        throw OracleReader.Failure(line: record.line, reason: "A quote inside an unquoted field")
      }
      place += 1
    }
    return Array(file[start..<place])
  }

  private mutating func quotedField(of record: Record) throws -> [UInt8] {
    var field: [UInt8] = []
    place += 1
    while place < file.count {
      let byte = file[place]
      place += 1
      if byte == Self.quote {
        guard place < file.count, file[place] == Self.quote else { return field }
        place += 1
      }
      if byte == Self.newline { line += 1 }
      field.append(byte)
    }
    throw OracleReader.Failure(line: record.line, reason: "A quoted field has no end")
  }

  private mutating func passLineEnd(of record: Record) throws {
    if file[place] == Self.carriageReturn { place += 1 }
    guard place < file.count, file[place] == Self.newline else {
      throw OracleReader.Failure(
        line: record.line, reason: "Neither a comma nor a line end after a field")
    }
    place += 1
    line += 1
  }
}
