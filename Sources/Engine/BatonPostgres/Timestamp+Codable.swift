import CivilTime

/// The encoding as text in UTC, in ISO 8601 format, to the microsecond.
extension Timestamp: Codable {
  /// Decodes a string such as `2026-11-23T12:00:00.000000Z`, in which the fraction may have any
  /// number of digits or may be missing.
  ///
  /// - Throws: `DecodingError` if the string does not have this format.
  public init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    func refused(_ why: String) -> DecodingError {
      .dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "'\(text)' \(why)"))
    }
    let parts = text.dropLast(text.hasSuffix("Z") ? 1 : 0).split(
      separator: ".", omittingEmptySubsequences: false)
    let digits = parts.count == 2 ? parts[1] : ""
    guard text.hasSuffix("Z"), (1...2).contains(parts.count), digits.utf8.count <= 6,
      digits.utf8.allSatisfy({ (48...57).contains($0) }),
      let (date, clock) = Self.numbers(of: parts[0])
    else { throw refused("is not a time in UTC") }
    guard
      let day = CivilDay(year: date[0], month: date[1], day: date[2], in: 0...999_999_999)
    else { throw refused("does not exist") }
    let seconds = day.number * 86_400 + clock[0] * 3_600 + clock[1] * 60 + clock[2]
    let fraction = Int64(digits + String(repeating: "0", count: 6 - digits.utf8.count)) ?? 0
    // A year can have up to nine digits, so the product can be out of range.
    let (whole, isTooFar) = seconds.multipliedReportingOverflow(by: 1_000_000)
    let (microseconds, isTooLate) = whole.addingReportingOverflow(fraction)
    guard !isTooFar, !isTooLate else { throw refused("is out of range") }
    self.init(microseconds: microseconds)
    // The comparison fails if a number has an unusual number of digits, such as a month with one
    // digit.
    guard isoText.hasPrefix(parts[0]) else { throw refused("does not exist") }
  }

  /// Encodes the instant as a string such as `2026-11-23T12:00:00.000000Z`.
  ///
  /// - Throws: any error that the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(isoText)
  }

  /// The time in UTC, in ISO 8601 format, to the microsecond.
  ///
  /// As in PostgreSQL, the text uses the Gregorian calendar for all days. Foundation uses the
  /// Julian calendar for the days before 1582-10-15, so Foundation would return different dates.
  public var isoText: String {
    let seconds = floorDivide(microseconds, 1_000_000)
    let day = floorDivide(seconds, 86_400)
    let clock = CivilClock.text(ofSecond: seconds - day * 86_400)
    // For the earliest instant, the product overflows, but the wrapped difference is correct.
    let rest = microseconds &- seconds &* 1_000_000
    return "\(CivilDay(day).text)T\(clock).\(rest.digits(6))Z"
  }

  /// Returns the numbers of a text such as `2026-11-23T12:00:00`, or nil for any other text.
  ///
  /// The year must have two to nine digits.
  private static func numbers(of text: Substring) -> (date: [Int64], clock: [Int64])? {
    let halves = text.split(separator: "T", omittingEmptySubsequences: false)
    guard halves.count == 2, let date = numbers(halves[0], separator: "-"),
      let clock = numbers(halves[1], separator: ":"), clock[0] < 24, clock[1] < 60, clock[2] < 60
    else { return nil }
    return (date, clock)
  }

  /// Returns three numbers between separators, or nil for any other text.
  private static func numbers(_ text: Substring, separator: Character) -> [Int64]? {
    let parts = text.split(separator: separator, omittingEmptySubsequences: false)
    let isOfForm = parts.allSatisfy { part in
      (2...9).contains(part.utf8.count) && part.utf8.allSatisfy { (48...57).contains($0) }
    }
    guard parts.count == 3, isOfForm else { return nil }
    return parts.compactMap { Int64($0) }
  }
}
