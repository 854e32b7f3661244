import CivilTime

/// An integer-only parser for ISO 8601 times with seconds and an offset.
///
/// The accepted form is `YYYY-MM-DDThh:mm:ss`, followed by an optional dot with one to six digits,
/// and by `Z`, `±hh:mm` or `±hh:mm:ss`. Any other form is an error.
enum OffsetTime {
  /// Returns the time in microseconds since 1970-01-01T00:00:00Z, and the offset in seconds.
  static func parse(
    _ text: UnsafeBufferPointer<UInt8>
  ) throws(LineFault) -> (instant: Int64, utcOffset: Int32) {
    guard
      text.count >= 20,
      text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-"), text[10] == UInt8(ascii: "T"),
      text[13] == UInt8(ascii: ":"), text[16] == UInt8(ascii: ":"),
      let century = text.twoDigits(at: 0), let yearOfCentury = text.twoDigits(at: 2),
      let month = text.twoDigits(at: 5), let day = text.twoDigits(at: 8),
      let hour = text.twoDigits(at: 11), let minute = text.twoDigits(at: 14),
      let second = text.twoDigits(at: 17)
    else { throw .notATime }
    let year = century * 100 + yearOfCentury
    guard
      let date = CivilDay(year: year, month: month, day: day), hour <= 23,
      minute <= 59, second <= 59
    else { throw .noSuchTime }

    var position = 19
    let microseconds = try fraction(text, &position)
    let offset = try self.offset(text, position)
    let seconds = ((date.number * 24 + hour) * 60 + minute) * 60 + second - offset
    return (seconds * 1_000_000 + microseconds, Int32(offset))
  }

  private static func fraction(
    _ text: UnsafeBufferPointer<UInt8>, _ position: inout Int
  ) throws(LineFault) -> Int64 {
    guard text[position] == UInt8(ascii: ".") else { return 0 }
    position += 1
    var value: Int64 = 0
    var unit: Int64 = 100_000
    while position < text.count, let digit = text.digit(at: position) {
      guard unit > 0 else { throw .notATime }
      value += digit * unit
      unit /= 10
      position += 1
    }
    guard unit < 100_000 else { throw .notATime }
    return value
  }

  private static func offset(
    _ text: UnsafeBufferPointer<UInt8>, _ start: Int
  ) throws(LineFault) -> Int64 {
    let length = text.count - start
    if length == 1, text[start] == UInt8(ascii: "Z") { return 0 }
    guard
      length == 6 || length == 9,
      text[start] == UInt8(ascii: "+") || text[start] == UInt8(ascii: "-"),
      text[start + 3] == UInt8(ascii: ":"), length == 6 || text[start + 6] == UInt8(ascii: ":"),
      let hours = text.twoDigits(at: start + 1), let minutes = text.twoDigits(at: start + 4),
      let seconds = length == 6 ? 0 : text.twoDigits(at: start + 7)
    else { throw .notATime }
    guard minutes <= 59, seconds <= 59 else { throw .noSuchTime }
    let size = (hours * 60 + minutes) * 60 + seconds
    let offset = text[start] == UInt8(ascii: "-") ? -size : size
    guard -12 * 3_600...14 * 3_600 ~= offset else { throw .offsetRange }
    return offset
  }
}

extension UnsafeBufferPointer<UInt8> {
  fileprivate func digit(at index: Int) -> Int64? {
    let value = self[index] &- UInt8(ascii: "0")
    return value < 10 ? Int64(value) : nil
  }

  fileprivate func twoDigits(at index: Int) -> Int64? {
    guard let tens = digit(at: index), let ones = digit(at: index + 1) else { return nil }
    return tens * 10 + ones
  }
}
