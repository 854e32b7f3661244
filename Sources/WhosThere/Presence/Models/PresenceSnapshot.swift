public import Foundation

/// A summary of who is at a group's place.
public struct GroupPresenceSummary: Codable, Hashable, Sendable, Identifiable {
  /// Which group.
  public let groupId: String
  /// How many are there.
  public let presentCount: Int
  /// The user who came first on the group's date of today; nil: no user has come.
  public let firstToday: String?
  /// Those of them who came last, newest first.
  public let latest: [String]
  /// When it was last written.
  public let changedAt: Date
  /// Higher with each change.
  public let version: Int64

  /// How many of those who are there it names.
  public static let mostLatest = 5

  /// A summary.
  public init(
    groupId: String, presentCount: Int, firstToday: String? = nil, latest: [String] = [],
    changedAt: Date, version: Int64
  ) {
    self.groupId = groupId
    self.presentCount = presentCount
    self.firstToday = firstToday
    self.latest = latest
    self.changedAt = changedAt
    self.version = version
  }

  /// Reads a summary; it names at most as many users as are there, and each once.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    groupId = try fields.id(.groupId)
    presentCount = try fields.count(.presentCount)
    firstToday = try fields.idIfPresent(.firstToday)
    latest = try fields.decode([String].self, forKey: .latest)
    changedAt = try fields.decode(Date.self, forKey: .changedAt)
    version = try fields.count(.version)
    try fields.require(
      latest.count <= min(presentCount, Self.mostLatest) && Set(latest).count == latest.count,
      .latest, "more than are there, or somebody twice")
  }

  /// The group's.
  public var id: String { groupId }

  /// Whether no user is there.
  public var isEmpty: Bool { presentCount == 0 }

  /// How many of the users who are there it does not name.
  public var othersCount: Int { max(0, presentCount - latest.count) }

  /// Whether it takes the place of another summary of the same group.
  public func replaces(_ other: GroupPresenceSummary?) -> Bool {
    other.map { version > $0.version } ?? true
  }
}

/// Who is at a group's place at one moment.
public struct PresenceSnapshot: Codable, Hashable, Sendable, Identifiable {
  /// The line of it.
  public let summary: GroupPresenceSummary
  /// Those who are there.
  public let presences: [Presence]
  /// The viewer's own state, also where they are not there; nil: they never were.
  public let own: Presence?
  /// When it was read, by the server's clock.
  public let takenAt: Date

  /// The most people that one snapshot holds.
  public static let mostPresences = 1_000

  /// A moment.
  public init(
    summary: GroupPresenceSummary, presences: [Presence], own: Presence?, takenAt: Date
  ) {
    self.summary = summary
    self.presences = presences
    self.own = own
    self.takenAt = takenAt
  }

  /// Reads a snapshot: of one group, of people who are there, each of them once.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    summary = try fields.decode(GroupPresenceSummary.self, forKey: .summary)
    presences = try fields.decode([Presence].self, forKey: .presences)
    own = try fields.decodeIfPresent(Presence.self, forKey: .own)
    takenAt = try fields.decode(Date.self, forKey: .takenAt)
    let group = summary.groupId
    try fields.require(
      presences.count <= Self.mostPresences, .presences, "more than \(Self.mostPresences)")
    try fields.require(
      presences.allSatisfy { $0.isPresent && $0.groupId == group }
        && Set(presences.map(\.userId)).count == presences.count,
      .presences, "somebody twice, or not there")
    try fields.require(own.map { $0.groupId == group } ?? true, .own, "of another group")
  }

  /// The group's.
  public var id: String { summary.groupId }

  /// Whether a user is there.
  public func isPresent(_ userId: String) -> Bool {
    presences.contains { $0.userId == userId }
  }

  /// Whether it takes the place of another snapshot of the same group: the same version is as right, and later.
  public func replaces(_ other: PresenceSnapshot?) -> Bool {
    guard let other else { return true }
    return (summary.version, takenAt) > (other.summary.version, other.takenAt)
  }
}
