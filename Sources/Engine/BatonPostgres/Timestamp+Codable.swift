import Foundation

/// The encoding as a string in UTC and the ISO 8601 format, with a precision of microseconds.
extension Timestamp: Codable {
  /// Decodes a string such as `2026-11-23T12:00:00.000000Z`, in which the fraction may have any
  /// number of digits or may be missing.
  ///
  /// - Throws: `DecodingError` for any other string.
  public init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    let parts = text.dropLast(text.hasSuffix("Z") ? 1 : 0).split(
      separator: ".", omittingEmptySubsequences: false)
    let digits = parts.count == 2 ? parts[1] : ""
    guard text.hasSuffix("Z"), (1...2).contains(parts.count), digits.utf8.count <= 6,
      digits.utf8.allSatisfy({ (48...57).contains($0) }),
      let date = try? Date("\(parts[0])Z", strategy: .iso8601)
    else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "'\(text)' is not a time in UTC"))
    }
    let fraction = Int64(digits + String(repeating: "0", count: 6 - digits.utf8.count)) ?? 0
    // A year can have any number of digits, so the product can be out of range.
    let (whole, isTooFar) = Int64(bounded: date.timeIntervalSince1970)
      .multipliedReportingOverflow(by: 1_000_000)
    let (microseconds, isTooLate) = whole.addingReportingOverflow(fraction)
    guard !isTooFar, !isTooLate else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "'\(text)' is out of range"))
    }
    self.init(microseconds: microseconds)
    // Foundation's parser treats a day that does not exist as a day of the next month.
    guard isoText.hasPrefix(parts[0]) else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "'\(text)' does not exist"))
    }
  }

  /// Encodes the instant as a string such as `2026-11-23T12:00:00.000000Z`.
  ///
  /// - Throws: the errors of the encoder.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(isoText)
  }

  /// The instant in UTC and the ISO 8601 format, with a precision of microseconds.
  public var isoText: String {
    let (seconds, rest) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
    let (whole, micros) = rest < 0 ? (seconds - 1, rest + 1_000_000) : (seconds, rest)
    let text = Date(timeIntervalSince1970: Double(whole)).formatted(.iso8601)
    let digits = String(micros)
    return text.dropLast() + "." + String(repeating: "0", count: 6 - digits.utf8.count) + digits
      + "Z"
  }
}
