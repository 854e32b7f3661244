/// A parser for the fields of a CSV line.
enum CSVLine {
  private static let quote = UInt8(ascii: "\"")
  private static let comma = UInt8(ascii: ",")

  /// Splits a line at the commas between its fields, and removes the quotes around fields.
  static func fields(_ line: UnsafeBufferPointer<UInt8>) throws(LineFault) -> [[UInt8]] {
    var fields: [[UInt8]] = []
    var position = 0
    repeat {
      fields.append(try field(line, &position))
      // `position` is now at the comma after the field, or at the end of the line.
      position += 1
    } while position <= line.count
    return fields
  }

  /// Reads the field at `position`, and moves `position` to the comma after the field or to the end
  /// of the line.
  private static func field(
    _ line: UnsafeBufferPointer<UInt8>, _ position: inout Int
  ) throws(LineFault) -> [UInt8] {
    guard position < line.count, line[position] == quote else {
      let bytes = Array(line[position...].prefix { $0 != comma })
      guard !bytes.contains(quote) else { throw .strayQuote }
      position += bytes.count
      return bytes
    }
    var bytes: [UInt8] = []
    position += 1
    while position < line.count {
      let byte = line[position]
      position += 1
      guard byte == quote else {
        bytes.append(byte)
        continue
      }
      guard position < line.count, line[position] != comma else { return bytes }
      guard line[position] == quote else { throw .textAfterQuote }
      bytes.append(quote)
      position += 1
    }
    throw .openQuote
  }
}
