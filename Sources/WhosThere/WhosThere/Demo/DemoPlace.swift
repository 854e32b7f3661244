import CheckIns
import Foundation
import Presence

/// The invented place for a group from the check-in file.
///
/// The place is in the time zone of the group's first check-in.
struct DemoPlace: Sendable {
  let group: String
  let latitude, longitude: Double
  let timeZone: String

  /// The radius of every place in meters.
  static let radius = 100.0

  /// Creates a group's place from its first check-in and number.
  init(of first: CheckIn, number: Int) {
    group = first.group.string
    // The places are far apart, and each longitude matches the place's time zone.
    latitude = Double((number * 7) % 100) - 40
    longitude = Double(first.utcOffset) / 240 + Double(number % 29) / 10
    timeZone = Self.zone(of: Int(first.utcOffset))
  }

  /// Returns a point within the circle.
  ///
  /// The distances from the center are given as fractions of the radius.
  func coordinate(east: Double, north: Double) throws -> Coordinate {
    let degree = 111_000.0
    return try Coordinate(
      latitude: latitude + north * Self.radius / degree,
      longitude: longitude + east * Self.radius / (degree * cos(latitude * .pi / 180)))
  }

  /// Returns the name of a time zone with a fixed UTC offset in seconds.
  ///
  /// The check-in file contains only UTC offsets, not time zones.
  private static func zone(of offset: Int) -> String {
    let others = [
      12_600: "Asia/Tehran", 16_200: "Asia/Kabul", 19_800: "Asia/Kolkata", 20_700: "Asia/Kathmandu",
      23_400: "Asia/Yangon", 34_200: "Australia/Darwin", -12_600: "America/St_Johns",
    ]
    if let zone = others[offset] { return zone }
    let hours = Int((Double(offset) / 3_600).rounded())
    // In names such as `Etc/GMT+1`, a positive offset is west of UTC.
    return hours == 0 ? "UTC" : "Etc/GMT\(hours > 0 ? "-" : "+")\(abs(hours))"
  }
}
