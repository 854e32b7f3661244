import Challenges

/// A repair of a drift; each runs in its own transaction.
public enum Healing: Sendable, Hashable {
  /// A member's open boards from a week on.
  case member(String, WeekPosition)
  /// The ranks of a group's open boards from a week on.
  case ranks(WeekPosition)
  /// The number of a group's members.
  case count(String)

  /// The repairs for a drift, each once; a board that is not open is never repaired.
  public static func list(for drift: [BoardDrift]) -> [Healing] {
    var list: [Healing] = []
    var weeks: Set<WeekPosition> = []
    for one in drift where one.state == "open" && one.isOfEntry {
      guard let week = one.week, let user = one.user else { continue }
      weeks.insert(week)
      if !list.contains(.member(user, week)) { list.append(.member(user, week)) }
    }
    for one in drift where one.state == "open" && !one.isOfEntry {
      guard let week = one.week, weeks.insert(week).inserted else { continue }
      list.append(.ranks(week))
    }
    return list + drift.filter { $0.week == nil }.map { .count($0.group) }
  }
}

extension BoardDrift {
  /// The week of the group; nil: it is the group's own.
  public var week: WeekPosition? {
    weekStart.map { WeekPosition(monday: $0, group: group) }
  }
}

extension Verification {
  /// BoardDrift that a second look sees as well.
  ///
  /// A look that lasts may miss an event whose segment of the log was emptied meanwhile, and then
  /// takes a board that waits to be ranked for one that does not.
  public func confirmedDrift(of weeks: [WeekPosition]) async throws -> [BoardDrift] {
    let first = try await drift(of: weeks)
    guard !first.isEmpty else { return [] }
    let suspects = Set(first.compactMap(\.week))
    let again = try await drift(of: weeks.filter(suspects.contains))
    return again.filter(first.contains)
  }

  /// Heals one thing.
  public func heal(_ healing: Healing) async throws {
    switch healing {
    case .member(let member, let week): try await heal(member: member, in: week)
    case .ranks(let week): try await healRanks(of: week)
    case .count(let group): try await healCount(of: group)
    }
  }
}
