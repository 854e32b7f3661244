import Foundation
import Presence

/// One sample of each entity, for tests of the encoding.
enum Sample {
  static let instant = Date(timeIntervalSince1970: 1_768_392_000.25)
  static let berlin = Coordinate.known(52.52, 13.405)
  static let user = User(
    id: "u1", displayName: "Ana Maria Roth", photoURL: URL(string: "https://example.org/a.png"),
    isAnonymous: true, timeZone: "Europe/Berlin", version: 3, createdAt: instant)
  static let group = LocationGroup(
    id: "g1", name: "Chess", shape: .circle(center: berlin, radius: 100), isPublic: true,
    timeZone: "Europe/Berlin", memberCount: 2, maxMembers: 50, createdAt: instant, createdBy: "u1")
  static let member = GroupMember(
    userId: "u1", displayName: "Ana", role: .admin, joinedAt: instant)
  static let invite = GroupInvite(
    code: .known("ABCD-EFGH-JKMN-PQRS"), groupId: "g1", expiresAt: instant)
  static let summary = GroupPresenceSummary(
    groupId: "g1", presentCount: 7, firstToday: "u2", latest: ["u1", "u2"], changedAt: instant,
    version: 9)
  static let snapshot = PresenceSnapshot(
    summary: summary, presences: [presence(4)], own: presence(4), takenAt: instant)
  static let message = Message(
    id: id(1), groupId: "g1", userId: "u1", text: "Hello", sentAt: instant)
  static let stats = UserStats(
    checkIns: 12, firstArrivals: 1, groupsVisited: 3, currentStreak: 2, longestStreak: 7,
    longestStay: 3_600, messagesSent: 49)
  static let earned = UserAchievement(type: .regular, unlockedAt: instant, points: 25)
  static let watch = WatchGroup(
    id: "g1", name: "Chess", presentCount: 3, isPresent: true, version: 4)

  /// Returns a UUID for a number.
  static func id(_ number: UInt8) -> UUID {
    UUID(uuid: (0, 0, 0, 0, 0, 0, 64, 0, 128, 0, 0, 0, 0, 0, 0, number))
  }

  /// Returns the instant that is a number of seconds after the sample's instant.
  static func at(_ seconds: TimeInterval) -> Date { instant.addingTimeInterval(seconds) }

  static func presence(
    _ version: Int64, isPresent: Bool = true, source: PresenceSource = .manual,
    deadline: TimeInterval? = nil, changed: TimeInterval = 0
  ) -> Presence {
    Presence(
      groupId: "g1", userId: "u1", isPresent: isPresent, source: source, since: at(changed),
      deadline: deadline.map(at), version: version, changedAt: at(changed))
  }

  static func command(
    _ number: UInt8, _ action: PresenceAction, _ source: PresenceSource = .manual,
    at seconds: TimeInterval = 60, stay: Int? = nil
  ) throws -> PresenceCommand {
    try PresenceCommand(
      id: id(number), groupId: "g1", action: action, source: source, at: at(seconds), stay: stay)
  }
}

extension Coordinate {
  /// Returns a place that is known to be valid.
  static func known(_ latitude: Double, _ longitude: Double) -> Coordinate {
    guard let place = try? Coordinate(latitude: latitude, longitude: longitude) else {
      preconditionFailure("not on the earth")
    }
    return place
  }
}

extension InviteCode {
  /// Returns a code that is known to be valid.
  static func known(_ text: String) -> InviteCode {
    guard let code = InviteCode(text) else { preconditionFailure("not a code") }
    return code
  }
}
