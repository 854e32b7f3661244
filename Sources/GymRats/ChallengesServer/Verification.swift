import Challenges
import ProductKit

/// The operations of the boards' store that a verification needs.
public protocol Verification: Sendable {
  /// Returns the next weeks of groups with boards, ordered by group and week.
  func nextWeeks(
    after last: WeekPosition?, limit: Int, of share: GroupShare
  ) async throws -> [WeekPosition]

  /// Counts the members of the next groups, ordered by id.
  func nextGroups(
    after last: String, limit: Int, of share: GroupShare
  ) async throws -> CountedGroups

  /// Compares boards with the ledger, and published standings with entries.
  ///
  /// If a board waits for its ranks, its published standings are not compared.
  func drift(of weeks: [WeekPosition]) async throws -> [BoardDrift]

  /// Recomputes a member's open boards from the ledger, from a week on, without notifications.
  func heal(member: String, in week: WeekPosition) async throws

  /// Recomputes the ranks of a group's open boards, from a week on, without notifications.
  func healRanks(of week: WeekPosition) async throws

  /// Counts a group's members again and stores the count.
  func healCount(of group: String) async throws
}

/// A share of all groups, selected by a hash of their ids.
public struct GroupShare: Sendable {
  /// The seed of the hash.
  ///
  /// Another seed selects other groups.
  public let seed: Int64
  /// The selected range of 1048576 hash values, which excludes ``upper``.
  public let lower, upper: Int64

  private static let parts: Int64 = 1 << 20

  /// Creates a share that a seed selects, with at least one of 1048576 hash values.
  ///
  /// - Parameter share: A number greater than 0 and at most 1.
  public init(_ share: Double, seed: Int64) {
    self.seed = seed
    lower = 0
    upper = max(1, Int64(share * Double(Self.parts)))
  }

  /// Creates one of several disjoint parts that together contain all groups.
  ///
  /// The parts contain the same groups each time.
  public init(part: Int64, of parts: Int64) {
    seed = 0
    lower = part * Self.parts / parts
    upper = (part + 1) * Self.parts / parts
  }
}

/// The result of counting the members of some groups.
public struct CountedGroups: Sendable {
  /// The id of the last counted group, or nil if no group was left.
  public let last: String?
  /// The number of counted groups.
  public let groups: Int
  /// The groups whose stored count is wrong.
  public let drift: [BoardDrift]

  /// Creates the result of one count.
  public init(last: String?, groups: Int, drift: [BoardDrift]) {
    self.last = last
    self.groups = groups
    self.drift = drift
  }
}

/// A stored value that differs from the value derived from the ledger.
public struct BoardDrift: Sendable, Hashable, Encodable {
  /// The kind of value.
  ///
  /// An entry has the kinds `value`, `reached_at`, `hidden`, `name` and `photo`. A standing has the
  /// kinds `published value`, `rank`, `position`, `published name` and `published photo`. A group
  /// has the kind `member_count`.
  public let kind: String
  /// The group's id.
  public let group: String
  /// The board's Monday, type and state, and the id of the member, or nil if the value does not
  /// belong to a board.
  public let weekStart, type, state, user: String?
  /// The stored value and the derived value.
  public let found, expected: String

  /// Creates a drift.
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

  /// Whether an entry has drifted, in contrast to a standing or a count.
  public var isOfEntry: Bool {
    ["value", "reached_at", "hidden", "name", "photo"].contains(kind)
  }

  /// Returns whether another drift is in the same place, even if its values differ.
  public func isSame(as other: BoardDrift) -> Bool { place == other.place }

  /// Returns whether both drifts have the same place and the same values, byte by byte.
  public static func == (left: Self, right: Self) -> Bool { left.content == right.content }

  /// Hashes the bytes of the place and the values.
  public func hash(into hasher: inout Hasher) { hasher.combine(content) }

  /// The bytes of the texts that identify the place.
  private var place: [[UInt8]?] {
    [kind.bytes, group.bytes, weekStart?.bytes, type?.bytes, user?.bytes]
  }

  private var content: [[UInt8]?] { place + [state?.bytes, found.bytes, expected.bytes] }

  /// Returns a line for display with the outcome, the place, the stored value and the expected
  /// value.
  public func line(_ outcome: DriftOutcome) -> String {
    let place = [group, weekStart, type, user].compactMap(\.self).joined(separator: "  ")
    let closed = state.map { $0 == "open" ? "" : "  (\($0) board)" } ?? ""
    return "\(outcome.rawValue)  \(kind)  \(place): \(found), not \(expected)\(closed)"
  }
}

/// The result of handling a drift.
public enum DriftOutcome: String, Sendable, Encodable {
  /// The drift was only reported.
  case found
  /// The drift was repaired, and a second comparison did not find it again.
  case healed
  /// The drift was not repaired or could not be repaired.
  case left
}
