import Challenges
import ProductKit

/// The board store, with the operations that a verification needs.
public protocol Verification: Sendable {
  /// Returns the next weeks of groups that have boards, ordered by group and week.
  func nextWeeks(
    after last: WeekPosition?, limit: Int, of share: GroupShare
  ) async throws -> [WeekPosition]

  /// Counts the members of each of the next groups, ordered by group id.
  func nextGroups(
    after last: String, limit: Int, of share: GroupShare
  ) async throws -> CountedGroups

  /// Compares the entries on boards with the ledger, and the published standings with the entries.
  ///
  /// If a board's ranks are pending, its published standings are not checked.
  func drift(of weeks: [WeekPosition]) async throws -> [BoardDrift]

  /// Recomputes a member's open boards from the ledger, for the given week and all later weeks.
  ///
  /// Members are not notified of rank changes that result from the repair.
  func heal(member: String, in week: WeekPosition) async throws

  /// Recomputes the ranks of a group's open boards for the given week and all later weeks.
  ///
  /// Members are not notified of rank changes that result from the repair.
  func healRanks(of week: WeekPosition) async throws

  /// Recounts a group's members and stores the count.
  func healCount(of group: String) async throws
}

/// A subset of all groups, selected by a hash of the group ids.
public struct GroupShare: Sendable {
  /// The seed of the hash.
  ///
  /// Different seeds select different subsets of the groups.
  public let seed: Int64
  /// The lower and upper bounds of the selected hash values.
  ///
  /// Each hash value is at least 0 and less than 1,048,576.
  ///
  /// The selected range includes ``lower`` and excludes ``upper``.
  public let lower, upper: Int64

  private static let parts: Int64 = 1 << 20

  /// Chooses a random subset of the groups, determined by a seed.
  ///
  /// Even if `share` is very small, the subset contains the groups with one of the 1,048,576 hash
  /// values.
  ///
  /// - Parameter share: The fraction of the groups, greater than 0 and at most 1.
  public init(_ share: Double, seed: Int64) {
    self.seed = seed
    lower = 0
    upper = max(1, Int64(share * Double(Self.parts)))
  }

  /// Creates one of several disjoint subsets that together contain all groups.
  ///
  /// A given part always contains the same groups.
  public init(part: Int64, of parts: Int64) {
    seed = 0
    lower = part * Self.parts / parts
    upper = (part + 1) * Self.parts / parts
  }
}

/// The result of counting the members of some groups.
public struct CountedGroups: Sendable {
  /// The id of the last counted group, or nil if no groups were left.
  public let last: String?
  /// The number of counted groups.
  public let groups: Int
  /// The groups whose stored member count is wrong.
  public let drift: [BoardDrift]

  /// Creates the result of counting the members of some groups.
  public init(last: String?, groups: Int, drift: [BoardDrift]) {
    self.last = last
    self.groups = groups
    self.drift = drift
  }
}

/// A stored value that differs from the value derived from the ledger.
public struct BoardDrift: Sendable, Hashable, Encodable {
  /// The kind of the stored value.
  ///
  /// The kinds for an entry are `value`, `reached_at`, `hidden`, `name` and `photo`. The kinds for
  /// a standing are `published value`, `rank`, `position`, `published name` and `published photo`.
  /// The kind for a group is `member_count`.
  public let kind: String
  /// The group's id.
  public let group: String
  /// The Monday of the board's week, the board's type and state, and the member's id.
  ///
  /// The properties are nil if the value does not belong to a board.
  public let weekStart, type, state, user: String?
  /// The stored value, and the expected value, which is derived from the ledger.
  public let found, expected: String

  /// Creates a description of a drifted value.
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

  /// Whether the stored value belongs to an entry, not to a standing or a member count.
  public var isOfEntry: Bool {
    ["value", "reached_at", "hidden", "name", "photo"].contains(kind)
  }

  /// Returns whether another description concerns the same stored value, even if the found and
  /// expected values differ.
  public func isSame(as other: BoardDrift) -> Bool { place == other.place }

  /// Returns whether all properties of the two descriptions are equal, compared byte by byte.
  public static func == (left: Self, right: Self) -> Bool { left.content == right.content }

  /// Hashes the bytes of all properties.
  public func hash(into hasher: inout Hasher) { hasher.combine(content) }

  /// The bytes of the strings that identify the stored value.
  private var place: [[UInt8]?] {
    [kind.bytes, group.bytes, weekStart?.bytes, type?.bytes, user?.bytes]
  }

  private var content: [[UInt8]?] { place + [state?.bytes, found.bytes, expected.bytes] }

  /// Returns a line of text with the outcome, the stored value and its location, and the expected
  /// value.
  public func line(_ outcome: DriftOutcome) -> String {
    let place = [group, weekStart, type, user].compactMap(\.self).joined(separator: "  ")
    let closed = state.map { $0 == "open" ? "" : "  (\($0) board)" } ?? ""
    return "\(outcome.rawValue)  \(kind)  \(place): \(found), not \(expected)\(closed)"
  }
}

/// The result of handling a drifted value.
public enum DriftOutcome: String, Sendable, Encodable {
  /// The drift was only reported.
  case found
  /// The drift was repaired, and a second comparison did not find it again.
  case healed
  /// The drift was not repaired, or the repair failed.
  case left
}
