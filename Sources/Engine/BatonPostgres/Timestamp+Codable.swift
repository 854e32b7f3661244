import Foundation

/// The text form: ISO 8601 in UTC, to the microsecond.
extension Timestamp: Codable {
  /// Reads `2026-11-23T12:00:00.000000Z`, with any number of digits after the point, or without them.
  ///
  /// - Throws: `DecodingError` for another text.
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
    let micros = digits + String(repeating: "0", count: 6 - digits.utf8.count)
    self.init(
      microseconds: Int64(date.timeIntervalSince1970) * 1_000_000 + (Int64(micros) ?? 0))
  }

  /// Writes `2026-11-23T12:00:00.000000Z`.
  ///
  /// - Throws: the errors of the encoder.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(isoText)
  }

  /// ISO 8601 in UTC, to the microsecond.
  public var isoText: String {
    let (seconds, rest) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
    let (whole, micros) = rest < 0 ? (seconds - 1, rest + 1_000_000) : (seconds, rest)
    let text = Date(timeIntervalSince1970: Double(whole)).formatted(.iso8601)
    let digits = String(micros)
    return text.dropLast() + "." + String(repeating: "0", count: 6 - digits.utf8.count) + digits
      + "Z"
  }
}
