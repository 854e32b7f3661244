public import Foundation

/// The state of a user at a group's place: present or absent, with a version.
public struct Presence: Codable, Hashable, Sendable, Identifiable {
  /// The id of the group.
  public let groupId: String
  /// The user's id.
  public let userId: String
  /// Whether the user is at the place.
  public let isPresent: Bool
  /// The source of the state: the user, or a device that crossed the place's boundary.
  public let source: PresenceSource
  /// The time when the state began.
  public let since: Date
  /// The time when the server checks the user out automatically, or nil if no deadline is set.
  public let deadline: Date?
  /// The version of the state, which increases with each change.
  ///
  /// Of two states, the one with the higher version is newer.
  public let version: Int64
  /// The time when the state last changed, according to the server's clock.
  public let changedAt: Date

  /// Creates a state.
  public init(
    groupId: String, userId: String, isPresent: Bool, source: PresenceSource, since: Date,
    deadline: Date? = nil, version: Int64, changedAt: Date
  ) {
    self.groupId = groupId
    self.userId = userId
    self.isPresent = isPresent
    self.source = source
    self.since = since
    self.deadline = deadline
    self.version = version
    self.changedAt = changedAt
  }

  /// Decodes a state.
  ///
  /// - Throws: `DecodingError` if the user is absent but the state has a deadline.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    groupId = try fields.id(.groupId)
    userId = try fields.id(.userId)
    isPresent = try fields.decode(Bool.self, forKey: .isPresent)
    source = try fields.decode(PresenceSource.self, forKey: .source)
    since = try fields.decode(Date.self, forKey: .since)
    deadline = try fields.decodeIfPresent(Date.self, forKey: .deadline)
    version = try fields.count(.version)
    changedAt = try fields.decode(Date.self, forKey: .changedAt)
    try fields.require(isPresent || deadline == nil, .deadline, "a deadline of an absence")
  }
}

extension Presence {
  /// An id that combines the group and the user.
  public var id: String { "\(groupId)/\(userId)" }

  /// Whether the user reported the state.
  public var isManual: Bool { source == .manual }

  /// Returns the time since the state began, or 0 for a time before the state began.
  public func duration(at instant: Date) -> Duration {
    .seconds(min(max(0, instant.timeIntervalSince(since)), 1e10))
  }

  /// Returns the time until the server automatically checks the user out, or nil if no deadline is
  /// set.
  public func timeLeft(at instant: Date) -> Duration? {
    deadline.map { .seconds(min(max(0, $0.timeIntervalSince(instant)), 1e10)) }
  }

  /// Returns whether the deadline has passed, which means that the server is about to check the
  /// user out.
  public func isOver(at instant: Date) -> Bool { deadline.map { instant >= $0 } ?? false }

  /// Returns whether the user is at the place and the deadline has not passed.
  public func isPresent(at instant: Date) -> Bool { isPresent && !isOver(at: instant) }

  /// Returns whether a manual check-in overrides automatic changes at a given time.
  ///
  /// Automatic changes are ignored from a manual check-in until the check-out or the deadline.
  public func overridesAutomatic(at instant: Date) -> Bool { isManual && isPresent(at: instant) }

  /// Returns whether this state replaces another state of the same user and group.
  public func replaces(_ other: Presence?) -> Bool { other.map { version > $0.version } ?? true }
}

/// The source of a check-in or check-out.
public enum PresenceSource: String, CaseIterable, Codable, Hashable, Sendable {
  /// The user pressed a button on a device.
  case manual
  /// A device crossed the place's boundary.
  case automatic
}
