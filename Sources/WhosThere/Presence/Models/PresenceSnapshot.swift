public import Foundation
import ProductKit

/// A summary of the users at a group's place.
public struct GroupPresenceSummary: Codable, Hashable, Sendable, Identifiable {
  /// The id of the group.
  public let groupId: String
  /// The number of users at the place.
  public let presentCount: Int
  /// The id of the first user who arrived on the current date, or nil if no user has arrived on
  /// that date.
  public let firstToday: String?
  /// The ids of the present users who arrived last, starting with the latest arrival.
  public let latest: [String]
  /// The time when the summary was last updated.
  public let changedAt: Date
  /// The summary's version, which increases with each change.
  public let version: Int64

  /// The maximum number of ids in `latest`.
  public static let mostLatest = 5

  /// Creates a summary.
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

  /// Decodes a summary.
  ///
  /// - Throws: `DecodingError` if `latest` has more ids than `presentCount`, or contains an id
  ///   twice.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    groupId = try fields.id(.groupId)
    presentCount = try fields.count(.presentCount)
    firstToday = try fields.idIfPresent(.firstToday)
    latest = try fields.decode([String].self, forKey: .latest)
    changedAt = try fields.decode(Date.self, forKey: .changedAt)
    version = try fields.count(.version)
    try fields.require(
      latest.count <= min(presentCount, Self.mostLatest)
        && Set(latest.map(\.bytes)).count == latest.count,
      .latest, "more users than are present, or a user twice")
  }

  /// The id of the group.
  public var id: String { groupId }

  /// Whether the place is empty.
  public var isEmpty: Bool { presentCount == 0 }

  /// The number of users at the place whose ids are not in `latest`.
  public var othersCount: Int { max(0, presentCount - latest.count) }

  /// Returns whether this summary replaces another summary of the same group.
  public func replaces(_ other: GroupPresenceSummary?) -> Bool {
    other.map { version > $0.version } ?? true
  }
}

/// The users at a group's place at one point in time.
public struct PresenceSnapshot: Codable, Hashable, Sendable, Identifiable {
  /// The summary of the place.
  public let summary: GroupPresenceSummary
  /// The states of the users at the place.
  public let presences: [Presence]
  /// The viewer's own state, or nil if the viewer has never been at the place.
  public let own: Presence?
  /// The time when the server read the snapshot, according to the server's clock.
  public let takenAt: Date

  /// The maximum number of users in one snapshot.
  public static let mostPresences = 1_000

  /// Creates a snapshot.
  public init(
    summary: GroupPresenceSummary, presences: [Presence], own: Presence?, takenAt: Date
  ) {
    self.summary = summary
    self.presences = presences
    self.own = own
    self.takenAt = takenAt
  }

  /// Decodes a snapshot.
  ///
  /// - Throws: `DecodingError` if a state belongs to another group, if a listed user is absent, or
  ///   if a user is listed twice.
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
      presences.allSatisfy { $0.isPresent && $0.groupId.hasSameBytes(as: group) }
        && Set(presences.map(\.userId.bytes)).count == presences.count,
      .presences, "a user twice, or an absent user")
    try fields.require(own?.groupId.hasSameBytes(as: group) ?? true, .own, "of another group")
  }

  /// The id of the group.
  public var id: String { summary.groupId }

  /// Returns the snapshot without the given users.
  ///
  /// The number of present users and the `latest` list are computed from the remaining users.
  package func hiding(_ users: [String]) -> PresenceSnapshot {
    guard !users.isEmpty else { return self }
    let hidden = Set(users.map(\.bytes))
    let seen = presences.filter { !hidden.contains($0.userId.bytes) }
    let visible = GroupPresenceSummary(
      groupId: summary.groupId, presentCount: seen.count,
      firstToday: summary.firstToday.flatMap { hidden.contains($0.bytes) ? nil : $0 },
      latest: seen.prefix(GroupPresenceSummary.mostLatest).map(\.userId),
      changedAt: summary.changedAt, version: summary.version)
    return PresenceSnapshot(summary: visible, presences: seen, own: own, takenAt: takenAt)
  }

  /// Returns whether a user is at the place.
  public func isPresent(_ userId: String) -> Bool {
    presences.contains { $0.userId.hasSameBytes(as: userId) }
  }

  /// Returns whether this snapshot replaces another snapshot of the same group.
  ///
  /// If the versions of the two snapshots are equal, the one that the server read later is used.
  public func replaces(_ other: PresenceSnapshot?) -> Bool {
    guard let other else { return true }
    return (summary.version, takenAt) > (other.summary.version, other.takenAt)
  }
}
