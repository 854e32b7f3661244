import CivilTime
public import Foundation

/// Conversions between instants and text, in ISO 8601 with an offset and microseconds.
///
/// The conversions use plain arithmetic, because the formatters of different operating systems
/// accept different strings.
public enum InstantText {
  /// Returns an instant in UTC as a 27-character string, or nil if it is outside the years 1900 to
  /// 2100.
  ///
  /// In the years 1900 to 2100, a `Date` can represent microseconds exactly.
  public static func text(of date: Date) -> String? {
    let interval = date.timeIntervalSince1970
    guard interval >= -2_208_988_800, interval < 4_133_980_800 else { return nil }
    let microseconds = Int64((interval * 1_000_000).rounded())
    let seconds = floorDivide(microseconds, 1_000_000)
    let day = floorDivide(seconds, 86_400)
    let clock = CivilClock.text(ofSecond: seconds - day * 86_400)
    return "\(CivilDay(day).text)T\(clock).\((microseconds - seconds * 1_000_000).digits(6))Z"
  }

  /// Parses a string in the form that ``text(of:)`` returns, or returns nil for any other string.
  public static func exactDate(_ text: String) -> Date? {
    date(text).flatMap { self.text(of: $0) == text ? $0 : nil }
  }

  /// Parses a string with a date, a time of day, an optional fraction of up to 9 digits, and a UTC
  /// offset.
  ///
  /// The result is nil if the string is invalid.
  public static func date(_ text: String) -> Date? {
    var rest = Array(text.utf8)[...]
    guard rest.count <= 40, let year = takeNumber(&rest, 4), take("-", &rest),
      let month = takeNumber(&rest, 2), take("-", &rest), let day = takeNumber(&rest, 2),
      take("T", &rest),
      let hour = takeNumber(&rest, 2), take(":", &rest), let minute = takeNumber(&rest, 2),
      take(":", &rest), let second = takeNumber(&rest, 2),
      let days = CivilDate.days(year: year, month: month, day: day), 1900...2100 ~= year,
      hour < 24, minute < 60, second < 60,
      let fraction = takeFraction(&rest), let offset = takeOffset(&rest), rest.isEmpty
    else { return nil }
    let seconds = days * 86_400 + hour * 3_600 + minute * 60 + second - offset
    return Date(timeIntervalSince1970: Double(seconds * 1_000_000 + fraction) / 1_000_000)
  }

  private static func take(_ character: Unicode.Scalar, _ rest: inout ArraySlice<UInt8>) -> Bool {
    guard rest.first == UInt8(ascii: character) else { return false }
    rest.removeFirst()
    return true
  }

  private static func takeDigit(_ rest: inout ArraySlice<UInt8>) -> Int64? {
    guard let byte = rest.first, UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte else { return nil }
    rest.removeFirst()
    return Int64(byte - UInt8(ascii: "0"))
  }

  private static func takeNumber(_ rest: inout ArraySlice<UInt8>, _ digits: Int) -> Int64? {
    var number: Int64 = 0
    for _ in 0..<digits {
      guard let digit = takeDigit(&rest) else { return nil }
      number = number * 10 + digit
    }
    return number
  }

  /// Parses an optional fraction of a second, and returns the microseconds, rounded down.
  ///
  /// The result is 0 if the fraction is missing.
  private static func takeFraction(_ rest: inout ArraySlice<UInt8>) -> Int64? {
    guard take(".", &rest) else { return 0 }
    guard var fraction = takeDigit(&rest) else { return nil }
    var count = 1
    while count < 9, let digit = takeDigit(&rest) {
      if count < 6 { fraction = fraction * 10 + digit }
      count += 1
    }
    for _ in min(count, 6)..<6 { fraction *= 10 }
    return fraction
  }

  private static func takeOffset(_ rest: inout ArraySlice<UInt8>) -> Int64? {
    if take("Z", &rest) { return 0 }
    let sign: Int64
    if take("+", &rest) { sign = 1 } else if take("-", &rest) { sign = -1 } else { return nil }
    guard let hours = takeNumber(&rest, 2), take(":", &rest), let minutes = takeNumber(&rest, 2),
      hours <= 23, minutes < 60
    else { return nil }
    return sign * (hours * 3_600 + minutes * 60)
  }
}
