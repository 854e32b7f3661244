import Challenges

/// The operations of the boards' store that a verification needs.
public protocol Verification: Sendable {
  /// The next weeks of groups with boards, by group and week.
  func nextWeeks(
    after last: WeekPosition?, limit: Int, of share: GroupShare
  ) async throws -> [WeekPosition]

  /// Counts the members of the next groups by id.
  func nextGroups(
    after last: String, limit: Int, of share: GroupShare
  ) async throws -> CountedGroups

  /// Compares the boards of these weeks with the ledger, and what is published of them with their
  /// entries. A board that waits to be ranked is not compared with what is published.
  func drift(of weeks: [WeekPosition]) async throws -> [BoardDrift]

  /// Derives a member's open boards again from the ledger, from a week on; no notification is sent.
  func heal(member: String, in week: WeekPosition) async throws

  /// Ranks a group's open boards again, from a week on; no notification is sent.
  func healRanks(of week: WeekPosition) async throws

  /// Counts a group's members again.
  func healCount(of group: String) async throws
}

/// A share of all groups, by a hash of their ids.
public struct GroupShare: Sendable {
  /// Another seed, another choice of groups.
  public let seed: Int64
  /// From here on, of 1048576 parts, up to and without ``upper``.
  public let lower, upper: Int64

  private static let parts: Int64 = 1 << 20

  /// A share chosen by a seed; at least one part of 1048576.
  ///
  /// - Parameter share: more than 0, at most 1.
  public init(_ share: Double, seed: Int64) {
    self.seed = seed
    lower = 0
    upper = max(1, Int64(share * Double(Self.parts)))
  }

  /// One of several parts that together are all groups; the same ones each time.
  public init(part: Int64, of parts: Int64) {
    seed = 0
    lower = part * Self.parts / parts
    upper = (part + 1) * Self.parts / parts
  }
}

/// Groups whose members were counted.
public struct CountedGroups: Sendable {
  /// The last one; nil: there was none left.
  public let last: String?
  /// How many.
  public let groups: Int
  /// Those with another number.
  public let drift: [BoardDrift]

  /// The outcome of one count.
  public init(last: String?, groups: Int, drift: [BoardDrift]) {
    self.last = last
    self.groups = groups
    self.drift = drift
  }
}

/// Something that is not what follows from the ledger.
public struct BoardDrift: Sendable, Hashable, Encodable {
  /// `value`, `reached_at`, `hidden`, `name` and `photo` of an entry; `published value`, `rank`, `position`,
  /// `published name` and `published photo` of a standing; `member_count` of a group.
  public let kind: String
  /// The group's id.
  public let group: String
  /// Of a board: the Monday, its type and state, and whose place it is.
  public let weekStart, type, state, user: String?
  /// What stands there, and what ought to.
  public let found, expected: String

  /// A drift.
  public init(
    kind: String, group: String, weekStart: String?, type: String?, state: String?, user: String?,
    found: String, expected: String
  ) {
    self.kind = kind
    self.group = group
    self.weekStart = weekStart
    self.type = type
    self.state = state
    self.user = user
    self.found = found
    self.expected = expected
  }

  /// Whether it is one of an entry, and not of what is published or counted.
  public var isOfEntry: Bool {
    ["value", "reached_at", "hidden", "name", "photo"].contains(kind)
  }

  /// Whether it is a drift of the same thing, with other values perhaps.
  public func isSame(as other: BoardDrift) -> Bool {
    (kind, group, weekStart, type, user)
      == (other.kind, other.group, other.weekStart, other.type, other.user)
  }

  /// For people: what came of it, what it is of, what stands there and what ought to.
  public func line(_ outcome: DriftOutcome) -> String {
    let place = [group, weekStart, type, user].compactMap(\.self).joined(separator: "  ")
    let closed = state.map { $0 == "open" ? "" : "  (\($0) board)" } ?? ""
    return "\(outcome.rawValue)  \(kind)  \(place): \(found), not \(expected)\(closed)"
  }
}

/// What came of a drift.
public enum DriftOutcome: String, Sendable, Encodable {
  /// It was reported and nothing else.
  case found
  /// It was repaired, and a second comparison did not find it again.
  case healed
  /// It was not repaired, or could not be.
  case left
}
