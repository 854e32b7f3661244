public import Foundation

/// Instants as text: UTC, to the microsecond, always 27 characters.
///
/// Written out, because what formatters take and refuse differs between systems.
public enum InstantText {
  private static let microsecondsADay: Int64 = 86_400_000_000
  /// 1900-01-01 and 2101-01-01: between them a `Date` holds microseconds.
  private static let seconds = -2_208_988_800.0..<4_133_980_800.0

  /// The text of an instant; nil outside of the years 1900 to 2100.
  public static func text(of date: Date) -> String? {
    guard seconds ~= date.timeIntervalSince1970 else { return nil }
    let microseconds = Int64((date.timeIntervalSince1970 * 1_000_000).rounded())
    let time = (microseconds % microsecondsADay + microsecondsADay) % microsecondsADay
    let day = LocalDate(day: Int((microseconds - time) / microsecondsADay))
    let second = time / 1_000_000
    let clock = [second / 3_600, second / 60 % 60, second % 60]
      .map { LocalDate.digits(Int($0), 2) }.joined(separator: ":")
    return "\(day)T\(clock).\(LocalDate.digits(Int(time % 1_000_000), 6))Z"
  }

  /// The instant of a text; nil for anything that ``text(of:)`` would not write.
  public static func date(_ text: String) -> Date? {
    let parts = text.utf8.split(separator: UInt8(ascii: "T"), omittingEmptySubsequences: false)
    guard text.utf8.count == 27, parts.count == 2,
      let day = LocalDate(String(Substring(parts[0]))), parts[1].last == UInt8(ascii: "Z")
    else { return nil }
    let time = parts[1].dropLast().split(
      omittingEmptySubsequences: false,
      whereSeparator: [UInt8(ascii: ":"), UInt8(ascii: ".")].contains)
    let numbers = time.compactMap { LocalDate.number($0) }
    guard time.map(\.count) == [2, 2, 2, 6], numbers.count == 4, numbers[0] < 24,
      numbers[1] < 60, numbers[2] < 60
    else { return nil }
    let second = numbers[0] * 3_600 + numbers[1] * 60 + numbers[2]
    let microseconds = (Int64(day.day) * 86_400 + Int64(second)) * 1_000_000 + Int64(numbers[3])
    let date = Date(timeIntervalSince1970: Double(microseconds) / 1_000_000)
    // Also what separates the numbers, which the split did not look at.
    return Self.text(of: date) == text ? date : nil
  }
}
