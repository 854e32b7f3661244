/// An instant in the form `YYYY-MM-DDTHH:MM:SS[.ffffff]`, followed by `Z` or a UTC offset.
struct OracleTimestamp {
  /// The instant in microseconds since 1970-01-01T00:00:00Z.
  let instant: Int64
  /// The UTC offset of local time, in seconds east of UTC, from -12 to +14 hours (rule 38).
  let utcOffset: Int

  /// Parses a string, or returns nil if the string has a different form.
  init?(of text: [UInt8]) {
    var rest = text[...]
    guard
      let year = Self.number(4, &rest), Self.take("-", &rest),
      let month = Self.number(2, &rest), Self.take("-", &rest),
      let day = Self.number(2, &rest), Self.take("T", &rest),
      let hour = Self.number(2, &rest), hour < 24, Self.take(":", &rest),
      let minute = Self.number(2, &rest), minute < 60, Self.take(":", &rest),
      let second = Self.number(2, &rest), second < 60,
      let micros = Self.fraction(&rest), let offset = Self.offset(&rest), rest.isEmpty,
      let date = OracleDate(year: year, month: month, day: day)
    else { return nil }
    let local = date.days * 86_400 + hour * 3_600 + minute * 60 + second
    instant = Int64(local - offset) * 1_000_000 + Int64(micros)
    utcOffset = offset
  }

  private static func take(_ expected: Unicode.Scalar, _ rest: inout ArraySlice<UInt8>) -> Bool {
    guard rest.first == UInt8(ascii: expected) else { return false }
    rest.removeFirst()
    return true
  }

  private static func digit(_ rest: inout ArraySlice<UInt8>) -> Int? {
    guard let byte = rest.first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else {
      return nil
    }
    rest.removeFirst()
    return Int(byte - UInt8(ascii: "0"))
  }

  private static func number(_ digits: Int, _ rest: inout ArraySlice<UInt8>) -> Int? {
    var value = 0
    for _ in 0..<digits {
      guard let digit = digit(&rest) else { return nil }
      value = value * 10 + digit
    }
    return value
  }

  /// Parses an optional fraction, which is a dot with one to six digits, and returns microseconds.
  private static func fraction(_ rest: inout ArraySlice<UInt8>) -> Int? {
    guard take(".", &rest) else { return 0 }
    guard var micros = digit(&rest) else { return nil }
    for _ in 2...6 {
      micros = micros * 10 + (digit(&rest) ?? 0)
    }
    return micros
  }

  private static func offset(_ rest: inout ArraySlice<UInt8>) -> Int? {
    if take("Z", &rest) { return 0 }
    let isAhead = take("+", &rest)
    guard
      isAhead || take("-", &rest),
      let hours = number(2, &rest), take(":", &rest),
      let minutes = number(2, &rest), minutes < 60
    else { return nil }
    let seconds = (hours * 3_600 + minutes * 60) * (isAhead ? 1 : -1)
    return (-12 * 3_600...14 * 3_600).contains(seconds) ? seconds : nil
  }
}
