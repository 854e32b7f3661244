public import Foundation

/// How entities are written for others: JSON, with instants as `2026-01-15T09:30:00.000000Z`.
public enum WireFormat {
  /// The most bytes that are read: a board of a thousand members with long names is a quarter of it.
  public static let mostBytes = 2 << 20

  /// What has to be read is too much.
  public struct TooLarge: Error, Hashable, Sendable {
    /// How many bytes there are.
    public let bytes: Int
    /// How many there may be.
    public let limit: Int
  }

  /// Writes an entity; the same one always as the same bytes.
  public static func data(of value: some Encodable) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .custom { date, encoder in
      guard let text = InstantText.text(of: date) else {
        throw EncodingError.invalidValue(
          date,
          .init(codingPath: encoder.codingPath, debugDescription: "not in the years 1900 to 2100"))
      }
      var value = encoder.singleValueContainer()
      try value.encode(text)
    }
    return try encoder.encode(value)
  }

  /// Reads an entity.
  ///
  /// - Throws: `TooLarge`, or a `DecodingError` for all that is not exactly what is asked for.
  public static func read<Value: Decodable>(
    _ type: Value.Type, from data: Data, limit: Int = mostBytes
  ) throws -> Value {
    guard data.count <= limit else { throw TooLarge(bytes: data.count, limit: limit) }
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .custom { decoder in
      let value = try decoder.singleValueContainer()
      guard let date = InstantText.date(try value.decode(String.self)) else {
        throw DecodingError.dataCorruptedError(in: value, debugDescription: "not an instant")
      }
      return date
    }
    return try decoder.decode(type, from: data)
  }
}

/// Instants as text, ISO 8601 with an offset, to the microsecond.
///
/// Written out, because what formatters take and refuse differs between systems.
public enum InstantText {
  /// An instant in UTC; nil outside of the years 1900 to 2100, in which a `Date` holds microseconds.
  public static func text(of date: Date) -> String? {
    let seconds = date.timeIntervalSince1970
    guard seconds >= -2_208_988_800, seconds < 4_133_980_800 else { return nil }
    let microseconds = Int64((seconds * 1_000_000).rounded())
    let (day, time) = divided(microseconds, by: 86_400_000_000)
    let second = time / 1_000_000
    let clock = [second / 3_600, second / 60 % 60, second % 60].map { CivilDate.digits($0, 2) }
    return """
      \(CivilDate.text(ofDay: day))T\(clock.joined(separator: ":")).\
      \(CivilDate.digits(time % 1_000_000, 6))Z
      """
  }

  /// The instant of a text; nil for anything but a date, a time of day, up to 9 digits behind the second
  /// and an offset.
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

  /// What stands behind the second, cut off behind the microseconds; 0 where there is nothing.
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

  /// Rounded down, also below 0.
  private static func divided(_ number: Int64, by divisor: Int64) -> (Int64, Int64) {
    let remainder = (number % divisor + divisor) % divisor
    return ((number - remainder) / divisor, remainder)
  }
}
