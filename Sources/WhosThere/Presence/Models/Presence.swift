public import Foundation

/// Whether a user is where a group meets, with the version of that state.
public struct Presence: Codable, Hashable, Sendable, Identifiable {
  /// Which group's place.
  public let groupId: String
  /// The user's id.
  public let userId: String
  /// Whether they are there.
  public let isPresent: Bool
  /// What reported the state: the user, or a device that noticed it.
  public let source: PresenceSource
  /// Since when.
  public let since: Date
  /// When they are checked out without doing anything; nil: never.
  public let deadline: Date?
  /// Higher with each change: of two states the higher one is right.
  public let version: Int64
  /// When the last change was made, by the server's clock.
  public let changedAt: Date

  /// A state.
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

  /// Reads a state; a user who is not there cannot have a deadline.
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
  /// One a user and group.
  public var id: String { "\(groupId)/\(userId)" }

  /// Whether the user said so themselves.
  public var isManual: Bool { source == .manual }

  /// How long it has been so; 0 before it was.
  public func duration(at instant: Date) -> Duration {
    .seconds(min(max(0, instant.timeIntervalSince(since)), 1e10))
  }

  /// How long until the server checks them out; nil: it will not.
  public func timeLeft(at instant: Date) -> Duration? {
    deadline.map { .seconds(min(max(0, $0.timeIntervalSince(instant)), 1e10)) }
  }

  /// Whether the deadline has passed, so that the server is about to check them out.
  public func isOver(at instant: Date) -> Bool { deadline.map { instant >= $0 } ?? false }

  /// Whether they are there, a deadline that has passed included.
  public func isPresent(at instant: Date) -> Bool { isPresent && !isOver(at: instant) }

  /// Whether automatic changes are ignored now: a manual check-in wins until check-out or the deadline.
  public func overridesAutomatic(at instant: Date) -> Bool { isManual && isPresent(at: instant) }

  /// Whether it takes the place of another state of the same user and group.
  public func replaces(_ other: Presence?) -> Bool { other.map { version > $0.version } ?? true }
}

/// What reported that a user is there or not.
public enum PresenceSource: String, CaseIterable, Codable, Hashable, Sendable {
  /// The user, on a button.
  case manual
  /// A device that crossed the border of the place.
  case automatic
}
