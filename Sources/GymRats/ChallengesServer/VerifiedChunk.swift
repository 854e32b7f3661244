import Challenges

/// How far the verification of a share of the groups is: first it compares boards, then numbers of members.
public enum VerificationPlace: Sendable {
  /// After this week of a group; nil: at the beginning.
  case weeks(after: WeekPosition?)
  /// After the group of this id.
  case groups(after: String)

  /// Where a pass over all of a share begins.
  public static let start = weeks(after: nil)
}

/// What one comparison found: in some weeks of groups, or in the numbers of members of some groups.
public struct VerifiedChunk: Sendable {
  /// The weeks that were compared; empty if numbers of members were.
  public let weeks: [WeekPosition]
  /// How many groups were counted.
  public let groups: Int
  /// What is not as it ought to be.
  public let drift: [BoardDrift]
  /// Where the next comparison goes on; nil: all groups were compared.
  public let next: VerificationPlace?
  fileprivate let place: VerificationPlace
  fileprivate let share: GroupShare

  /// What came of what was found, once ``Healing/list(for:)`` of it is done.
  ///
  /// - Parameter remains: what ``Verification/look(again:)`` finds then.
  public func outcomes(_ remains: [BoardDrift]) -> [(drift: BoardDrift, outcome: DriftOutcome)] {
    drift.map { one in (one, remains.contains { $0.isSame(as: one) } ? .left : .healed) }
  }
}

extension Verification {
  /// Looks at the next weeks of groups, or at the next groups.
  ///
  /// - Parameters:
  ///   - weeks: how many weeks of groups at a time.
  ///   - groups: how many groups are counted at a time.
  public func look(
    at place: VerificationPlace, weeks limit: Int, groups: Int, of share: GroupShare
  ) async throws -> VerifiedChunk {
    switch place {
    case .weeks(let last):
      let weeks = try await nextWeeks(after: last, limit: limit, of: share)
      return VerifiedChunk(
        weeks: weeks, groups: 0, drift: try await confirmedDrift(of: weeks),
        next: weeks.count < limit ? .groups(after: "") : .weeks(after: weeks.last), place: place,
        share: share)
    case .groups(let last):
      let counted = try await nextGroups(after: last, limit: groups, of: share)
      return VerifiedChunk(
        weeks: [], groups: counted.groups, drift: counted.drift,
        next: counted.groups < groups ? nil : counted.last.map { .groups(after: $0) },
        place: place, share: share)
    }
  }

  /// Compares the same chunk again and returns the drift that remains.
  public func look(again chunk: VerifiedChunk) async throws -> [BoardDrift] {
    switch chunk.place {
    case .weeks:
      let suspects = Set(chunk.drift.compactMap(\.week))
      return try await confirmedDrift(of: chunk.weeks.filter(suspects.contains))
    case .groups(let last):
      return try await nextGroups(after: last, limit: chunk.groups, of: chunk.share).drift
    }
  }
}
