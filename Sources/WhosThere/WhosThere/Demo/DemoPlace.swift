import CheckIns
import Foundation
import Presence

/// Where a group of the file meets; made up, except for the zone, which is that of its first check-in.
struct DemoPlace: Sendable {
  let group: String
  let latitude, longitude: Double
  let timeZone: String

  /// The radius of every place, in metres.
  static let radius = 100.0

  /// The place of the group that comes at a number among all groups.
  init(of first: CheckIn, number: Int) {
    group = first.group.string
    // Apart from each other, and about where it is that late.
    latitude = Double((number * 7) % 100) - 40
    longitude = Double(first.utcOffset) / 240 + Double(number % 29) / 10
    timeZone = Self.zone(of: Int(first.utcOffset))
  }

  /// A point within the circle, in parts of its radius from the centre.
  func coordinate(east: Double, north: Double) throws -> Coordinate {
    let degree = 111_000.0
    return try Coordinate(
      latitude: latitude + north * Self.radius / degree,
      longitude: longitude + east * Self.radius / (degree * cos(latitude * .pi / 180)))
  }

  /// A zone whose clock is UTC plus so many seconds: without summer time, because the file has only offsets.
  private static func zone(of offset: Int) -> String {
    let others = [
      12_600: "Asia/Tehran", 16_200: "Asia/Kabul", 19_800: "Asia/Kolkata", 20_700: "Asia/Kathmandu",
      23_400: "Asia/Yangon", 34_200: "Australia/Darwin", -12_600: "America/St_Johns",
    ]
    if let zone = others[offset] { return zone }
    let hours = Int((Double(offset) / 3_600).rounded())
    // POSIX counts westwards.
    return hours == 0 ? "UTC" : "Etc/GMT\(hours > 0 ? "-" : "+")\(abs(hours))"
  }
}
