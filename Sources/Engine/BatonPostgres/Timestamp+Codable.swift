/// The encoding as text in ISO 8601 and UTC, with a precision of microseconds.
extension Timestamp: Codable {
  /// Decodes a string such as `2026-11-23T12:00:00.000000Z`, in which the fraction may have any
  /// number of digits or may be missing.
  ///
  /// - Throws: `DecodingError` for any other string.
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
      digits.utf8.allSatisfy({ (48...57).contains($0) }), let seconds = Self.seconds(of: parts[0])
    else { throw refused("is not a time in UTC") }
    let fraction = Int64(digits + String(repeating: "0", count: 6 - digits.utf8.count)) ?? 0
    // A year can have any number of digits, so the product can be out of range.
    let (whole, isTooFar) = seconds.multipliedReportingOverflow(by: 1_000_000)
    let (microseconds, isTooLate) = whole.addingReportingOverflow(fraction)
    guard !isTooFar, !isTooLate else { throw refused("is out of range") }
    self.init(microseconds: microseconds)
    // The arithmetic treats a day that does not exist as a day of the next month.
    guard isoText.hasPrefix(parts[0]) else { throw refused("does not exist") }
  }

  /// Encodes the instant as a string such as `2026-11-23T12:00:00.000000Z`.
  ///
  /// - Throws: any error that the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(isoText)
  }

  /// The instant in ISO 8601 and UTC, with a precision of microseconds.
  ///
  /// As in PostgreSQL, the text uses the Gregorian calendar for all days. Foundation uses the
  /// Julian calendar for the days before 1582-10-15, so Foundation would return other dates.
  public var isoText: String {
    let (seconds, rest) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
    let (whole, micros) = rest < 0 ? (seconds - 1, rest + 1_000_000) : (seconds, rest)
    let (days, remainder) = whole.quotientAndRemainder(dividingBy: 86_400)
    let (day, second) = remainder < 0 ? (days - 1, remainder + 86_400) : (days, remainder)
    let clock = [second / 3_600, second / 60 % 60, second % 60].map { Self.digits($0, 2) }
    return "\(Self.date(ofDay: day))T\(clock.joined(separator: ":")).\(Self.digits(micros, 6))Z"
  }

  // MARK: The Gregorian calendar

  /// Returns the date that is `number` days after 1970-01-01, such as `2026-11-23`.
  ///
  /// The computation starts each year in March, so the leap day is the last day of a year. Years
  /// are grouped in eras of 400 years, which have 146,097 days.
  private static func date(ofDay number: Int64) -> String {
    let shifted = number + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
    let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    let sign = year < 0 ? "-" : ""
    return "\(sign)\(digits(abs(year), 4))-\(digits(month, 2))-\(digits(day, 2))"
  }

  /// Returns the seconds since 1970 of a string such as `2026-11-23T12:00:00`, or nil for any other
  /// string.
  ///
  /// The year has at least four digits and at most nine.
  private static func seconds(of text: Substring) -> Int64? {
    let halves = text.split(separator: "T", omittingEmptySubsequences: false)
    guard halves.count == 2, let date = numbers(halves[0], separator: "-"),
      let clock = numbers(halves[1], separator: ":"), 1...12 ~= date[1], 1...31 ~= date[2],
      clock[0] < 24, clock[1] < 60, clock[2] < 60
    else { return nil }
    let marchYear = date[1] > 2 ? date[0] : date[0] - 1
    let era = (marchYear >= 0 ? marchYear : marchYear - 399) / 400
    let yearOfEra = marchYear - era * 400
    let dayOfYear = (153 * ((date[1] + 9) % 12) + 2) / 5 + date[2] - 1
    let day =
      era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    return day * 86_400 + clock[0] * 3_600 + clock[1] * 60 + clock[2]
  }

  /// Returns the three numbers that the separator divides, or nil for any other text.
  private static func numbers(_ text: Substring, separator: Character) -> [Int64]? {
    let parts = text.split(separator: separator, omittingEmptySubsequences: false)
    let isOfForm = parts.allSatisfy { part in
      (2...9).contains(part.utf8.count) && part.utf8.allSatisfy { (48...57).contains($0) }
    }
    guard parts.count == 3, isOfForm else { return nil }
    return parts.compactMap { Int64($0) }
  }

  private static func digits(_ number: Int64, _ count: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
  }
}
