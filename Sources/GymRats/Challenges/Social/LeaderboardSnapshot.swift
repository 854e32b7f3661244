public import Foundation

/// One member's line of a board.
public struct LeaderboardEntry: Codable, Hashable, Sendable, Identifiable {
  /// The user's id.
  public let id: String
  /// The name as it is on this board; a closed one keeps it.
  public var displayName: String
  /// The picture, likewise.
  public var photoURL: URL?
  /// Workouts, or days of a streak: what the challenge's type counts.
  public var value: Int
  /// The place; 1 is the first.
  public var rank: Int
  /// When the value last changed.
  public let lastUpdated: Date

  /// A line.
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

  /// Reads a line; there is no rank 0 and no value below 0.
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

/// A board at one moment.
public struct LeaderboardSnapshot: Codable, Hashable, Sendable, Identifiable {
  /// Of which group, week and type.
  public let challenge: Challenge
  /// In the order in which they are shown.
  public let entries: [LeaderboardEntry]
  /// The viewer's own line; nil while they are not ranked.
  public let currentUserEntry: LeaderboardEntry?
  /// Higher with each visible change: of two snapshots of one challenge the higher one is right.
  public let rankVersion: Int64
  /// When it was read, by the server's clock.
  public let takenAt: Date

  /// The most entries that one snapshot holds.
  public static let mostEntries = 1_000

  /// The challenge's.
  public var id: String { challenge.id }

  /// A board at one moment; the viewer's own line is found among the entries.
  public init(
    challenge: Challenge, entries: [LeaderboardEntry], viewer: String?, rankVersion: Int64,
    takenAt: Date
  ) {
    self.init(
      challenge: challenge, entries: entries,
      currentUserEntry: entries.first { $0.id.utf8.elementsEqual((viewer ?? "").utf8) },
      rankVersion: rankVersion, takenAt: takenAt)
  }

  /// A board at one moment, from its parts.
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

  /// Reads a snapshot; one with more than `mostEntries` is refused.
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
  /// By rank; those of one rank stay as they are, which is the server's order.
  public var sortedEntries: [LeaderboardEntry] {
    entries.enumerated()
      .sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }.map(\.element)
  }

  /// How old it is at an instant; never below 0, because the phone's clock may lag the server's.
  public func age(at instant: Date) -> Duration {
    .seconds(min(max(0, instant.timeIntervalSince(takenAt)), 1e10))
  }

  /// Whether it takes the place of another: a later week, or a change of the same challenge.
  ///
  /// Snapshots may arrive in another order than they were taken in. A lower version is dropped; the same
  /// version taken later is as right, and younger.
  public func replaces(_ other: LeaderboardSnapshot?) -> Bool {
    guard let other else { return true }
    guard challenge.id == other.challenge.id else {
      return (challenge.week, takenAt) > (other.challenge.week, other.takenAt)
    }
    return (rankVersion, takenAt) > (other.rankVersion, other.takenAt)
  }
}
