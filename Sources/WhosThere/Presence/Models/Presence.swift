public import Foundation

/// Whether somebody is where a group meets, as of its version.
public struct Presence: Codable, Hashable, Sendable, Identifiable {
  /// Which group's place.
  public let groupId: String
  /// Who.
  public let userId: String
  /// Whether they are there.
  public let isPresent: Bool
  /// Who said so: the user, or a device that noticed.
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

  /// Reads a state; nobody is checked out who is not there.
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

  /// How long until they are checked out; nil: nobody will be.
  public func timeLeft(at instant: Date) -> Duration? {
    deadline.map { .seconds(min(max(0, $0.timeIntervalSince(instant)), 1e10)) }
  }

  /// Whether the deadline has passed, so that the server is about to check them out.
  public func isOver(at instant: Date) -> Bool { deadline.map { instant >= $0 } ?? false }

  /// Whether they are there, a deadline that has passed included.
  public func isPresent(at instant: Date) -> Bool { isPresent && !isOver(at: instant) }

  /// Whether what devices notice does not count now: by hand wins until check-out or the deadline.
  public func overridesAutomatic(at instant: Date) -> Bool { isManual && isPresent(at: instant) }

  /// Whether it takes the place of another state of the same user and group.
  public func replaces(_ other: Presence?) -> Bool { other.map { version > $0.version } ?? true }
}

/// Who said that somebody is there or not.
public enum PresenceSource: String, CaseIterable, Codable, Hashable, Sendable {
  /// The user, on a button.
  case manual
  /// A device that crossed the border of the place.
  case automatic
}
