public import Foundation

/// One member's row on a board.
public struct LeaderboardEntry: Codable, Hashable, Sendable, Identifiable {
  /// The user's id.
  public let id: String
  /// The member's name on the board.
  ///
  /// A closed board keeps the name that the member had when the week was closed.
  public var displayName: String
  /// The member's photo on the board.
  ///
  /// A closed board keeps the photo that the member had when the week was closed.
  public var photoURL: URL?
  /// The number of workouts or the length of the streak in days, depending on the challenge's type.
  public var value: Int
  /// The member's rank, where 1 is the best.
  public var rank: Int
  /// The time when the value last changed.
  public let lastUpdated: Date

  /// Creates an entry.
  public init(
    id: String, displayName: String, photoURL: URL? = nil, value: Int, rank: Int, lastUpdated: Date
  ) {
    self.id = id
    self.displayName = displayName
    self.photoURL = photoURL
    self.value = value
    self.rank = rank
    self.lastUpdated = lastUpdated
  }

  /// Decodes an entry.
  ///
  /// - Throws: `DecodingError` if the rank is below 1 or the value is below 0.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      id: try fields.decode(String.self, forKey: .id),
      displayName: try fields.decode(String.self, forKey: .displayName),
      photoURL: try fields.decodeIfPresent(URL.self, forKey: .photoURL),
      value: try fields.decode(Int.self, forKey: .value),
      rank: try fields.decode(Int.self, forKey: .rank),
      lastUpdated: try fields.decode(Date.self, forKey: .lastUpdated))
    guard rank >= 1, value >= 0 else {
      throw DecodingError.dataCorruptedError(
        forKey: .rank, in: fields, debugDescription: "ranks begin with 1 and values with 0")
    }
  }
}

/// A board at one point in time.
public struct LeaderboardSnapshot: Codable, Hashable, Sendable, Identifiable {
  /// The challenge with the board's group, week and type.
  public let challenge: Challenge
  /// The entries in display order.
  public let entries: [LeaderboardEntry]
  /// The viewer's own entry, or nil if the viewer is not ranked.
  public let currentUserEntry: LeaderboardEntry?
  /// The version of the board, which increases with each visible change.
  ///
  /// Of two snapshots of the same challenge, the one with the higher version is newer.
  public let rankVersion: Int64
  /// The time when the server read the board, by the server's clock.
  public let takenAt: Date

  /// The maximum number of entries in one snapshot.
  public static let mostEntries = 1_000

  /// The challenge's id.
  public var id: String { challenge.id }

  /// Creates a snapshot and finds the viewer's own entry among the entries.
  public init(
    challenge: Challenge, entries: [LeaderboardEntry], viewer: String?, rankVersion: Int64,
    takenAt: Date
  ) {
    self.init(
      challenge: challenge, entries: entries,
      currentUserEntry: entries.first { $0.id.utf8.elementsEqual((viewer ?? "").utf8) },
      rankVersion: rankVersion, takenAt: takenAt)
  }

  /// Creates a snapshot from all of its parts.
  public init(
    challenge: Challenge, entries: [LeaderboardEntry], currentUserEntry: LeaderboardEntry?,
    rankVersion: Int64, takenAt: Date
  ) {
    self.challenge = challenge
    self.entries = entries
    self.currentUserEntry = currentUserEntry
    self.rankVersion = rankVersion
    self.takenAt = takenAt
  }

  /// Decodes a snapshot.
  ///
  /// - Throws: `DecodingError` if there are more than `mostEntries` entries.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      challenge: try fields.decode(Challenge.self, forKey: .challenge),
      entries: try fields.decode([LeaderboardEntry].self, forKey: .entries),
      currentUserEntry: try fields.decodeIfPresent(
        LeaderboardEntry.self, forKey: .currentUserEntry),
      rankVersion: try fields.decode(Int64.self, forKey: .rankVersion),
      takenAt: try fields.decode(Date.self, forKey: .takenAt))
    guard entries.count <= Self.mostEntries else {
      throw DecodingError.dataCorruptedError(
        forKey: .entries, in: fields, debugDescription: "more than \(Self.mostEntries) entries")
    }
  }
}

extension LeaderboardSnapshot {
  /// The entries ordered by rank.
  ///
  /// Entries with the same rank stay in the server's order.
  public var sortedEntries: [LeaderboardEntry] {
    entries.enumerated()
      .sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }.map(\.element)
  }

  /// Returns the snapshot's age at a given time.
  ///
  /// The age is never negative, even if the phone's clock shows an earlier time than the server's.
  public func age(at instant: Date) -> Duration {
    .seconds(min(max(0, instant.timeIntervalSince(takenAt)), 1e10))
  }

  /// Returns whether this snapshot replaces another snapshot.
  ///
  /// A snapshot replaces snapshots of earlier weeks, and older snapshots of the same challenge.
  /// Snapshots may arrive out of order, so a snapshot with a lower version is ignored. Of two
  /// snapshots with the same version, the one that was read later is used.
  public func replaces(_ other: LeaderboardSnapshot?) -> Bool {
    guard let other else { return true }
    guard challenge.id == other.challenge.id else {
      return (challenge.week, takenAt) > (other.challenge.week, other.takenAt)
    }
    return (rankVersion, takenAt) > (other.rankVersion, other.takenAt)
  }
}
