import Challenges
import ProductKit

/// A repair of drift, that is, of a stored value that differs from the ledger.
///
/// Each repair runs in a separate transaction.
public enum Healing: Sendable {
  /// Repairs a member's open boards for the given week and all later weeks.
  case member(String, WeekPosition)
  /// Repairs the ranks of a group's open boards for the given week and all later weeks.
  case ranks(WeekPosition)
  /// Repairs the stored number of a group's members.
  case count(String)

  /// Returns the repairs for the given drift, without duplicates.
  ///
  /// Only open boards are repaired.
  public static func list(for drift: [BoardDrift]) -> [Healing] {
    var list: [Healing] = []
    var weeks: Set<WeekPosition> = []
    var members: [WeekPosition: Set<[UInt8]>] = [:]
    for one in drift where one.state == "open" && one.isOfEntry {
      guard let week = one.week, let user = one.user else { continue }
      weeks.insert(week)
      if members[week, default: []].insert(user.bytes).inserted { list.append(.member(user, week)) }
    }
    for one in drift where one.state == "open" && !one.isOfEntry {
      guard let week = one.week, weeks.insert(week).inserted else { continue }
      list.append(.ranks(week))
    }
    return list + drift.filter { $0.week == nil }.map { .count($0.group) }
  }
}

extension BoardDrift {
  /// The group and week of the board, or nil if the drift is in a member count.
  public var week: WeekPosition? {
    weekStart.map { WeekPosition(monday: $0, group: group) }
  }
}

extension Verification {
  /// Compares the weeks twice, and returns the drift that both comparisons find.
  ///
  /// A comparison can miss an event if a segment of the event log is truncated while the comparison
  /// is running. If a comparison misses an event, it may report drift on a board whose ranks are
  /// only pending.
  public func confirmedDrift(of weeks: [WeekPosition]) async throws -> [BoardDrift] {
    let first = try await drift(of: weeks)
    guard !first.isEmpty else { return [] }
    let suspects = Set(first.compactMap(\.week))
    let again = try await drift(of: weeks.filter(suspects.contains))
    return again.filter(first.contains)
  }

  /// Executes one repair.
  public func heal(_ healing: Healing) async throws {
    switch healing {
    case .member(let member, let week): try await heal(member: member, in: week)
    case .ranks(let week): try await healRanks(of: week)
    case .count(let group): try await healCount(of: group)
    }
  }
}
