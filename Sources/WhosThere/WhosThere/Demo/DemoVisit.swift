import CheckIns
import Foundation
import Presence

/// A visit with a real check-in, and with invented data about its source, duration and end.
///
/// The invented data depends only on the line number, so a line in the file always results in the
/// same visit.
struct DemoVisit: Sendable {
  /// How a visit ends.
  enum Ending { case byHand, byDevice, atDeadline }

  let group, user: String
  let arrival: Date
  let source: PresenceSource
  /// The duration of the visit in seconds, from 15 minutes to three hours.
  let stay: Int
  let ending: Ending
  /// The device's position as fractions of the place's radius, and the position's accuracy in
  /// meters.
  let east, north, accuracy: Double
  private let line: Int

  init(_ checkIn: CheckIn) {
    var rule = Rule(line: checkIn.line)
    line = checkIn.line
    group = checkIn.group.string
    user = "\(group)/\(checkIn.member)"
    arrival = Date(timeIntervalSince1970: Double(checkIn.instant) / 1_000_000)
    source = rule.below(10) < 6 ? .automatic : .manual
    stay = 900 + rule.below(9_900)
    // A visit's check-in and check-out are either both manual or both automatic. Half of the visits
    // have no check-out, but end at their deadline.
    let isInTime = rule.below(2) == 0
    ending = isInTime ? (source == .manual ? .byHand : .byDevice) : .atDeadline
    east = Double(rule.below(1_000)) / 1_000 - 0.5
    north = Double(rule.below(1_000)) / 1_000 - 0.5
    accuracy = Double(5 + rule.below(35))
  }

  /// The time when the user leaves, unless the visit ends at the deadline.
  var departure: Date { arrival.addingTimeInterval(Double(stay)) }

  /// Returns the command that the user's device sends on arrival.
  func checkIn(at place: DemoPlace) throws -> PresenceCommand {
    try PresenceCommand(
      id: id(0), groupId: group, action: .checkIn, source: source, at: arrival,
      position: ClaimedPosition(
        coordinate: try place.coordinate(east: east, north: north), accuracy: accuracy,
        at: arrival),
      stay: ending == .atDeadline ? stay : nil)
  }

  /// Returns the command that the device sends on departure, or nil if the visit ends at the
  /// deadline.
  func checkOut() throws -> PresenceCommand? {
    guard ending != .atDeadline else { return nil }
    return try PresenceCommand(
      id: id(1), groupId: group, action: .checkOut,
      source: ending == .byHand ? .manual : .automatic, at: departure)
  }

  private func id(_ part: UInt8) -> UUID {
    let bytes = withUnsafeBytes(of: UInt64(line).bigEndian) { [UInt8]($0) }
    return UUID(
      uuid: (
        0xde, 0x30, 0, 0, 0, 0, 0x40, part, 0x80, bytes[1], bytes[2], bytes[3], bytes[4], bytes[5],
        bytes[6], bytes[7]
      ))
  }
}

/// A random number generator whose numbers depend only on a line number: SplitMix64 with the line
/// number as the seed.
private struct Rule {
  private var state: UInt64

  init(line: Int) { state = UInt64(line) }

  mutating func below(_ bound: Int) -> Int {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return Int((mixed ^ (mixed >> 31)) % UInt64(bound))
  }
}
