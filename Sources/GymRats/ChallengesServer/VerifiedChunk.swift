import Challenges

/// The progress of a verification, which checks boards first and member counts afterwards.
public enum VerificationPlace: Sendable {
  /// The next step checks boards, starting after the given week of a group.
  ///
  /// If the week is nil, the next step starts with the first week of the first group.
  case weeks(after: WeekPosition?)
  /// The next step counts the members of groups, starting after the group with the given id.
  case groups(after: String)

  /// The position where a verification starts.
  public static let start = weeks(after: nil)
}

/// The result of one verification step.
///
/// A step checks either the boards of some weeks or the member counts of some groups.
public struct VerifiedChunk: Sendable {
  /// The checked weeks, or an empty array if member counts were checked.
  public let weeks: [WeekPosition]
  /// The number of groups whose members were counted.
  public let groups: Int
  /// The stored values that differ from the ledger.
  public let drift: [BoardDrift]
  /// The position where the next step starts, or nil if the verification is complete.
  public let next: VerificationPlace?
  fileprivate let place: VerificationPlace
  fileprivate let share: GroupShare

  /// Returns the outcome for each drifted value, after the caller has executed the repairs in
  /// ``Healing/list(for:)``.
  ///
  /// - Parameter remains: The drift that ``Verification/look(again:)`` returned after the repairs.
  public func outcomes(_ remains: [BoardDrift]) -> [(drift: BoardDrift, outcome: DriftOutcome)] {
    drift.map { one in (one, remains.contains { $0.isSame(as: one) } ? .left : .healed) }
  }
}

extension Verification {
  /// Executes one verification step, starting at the given position.
  ///
  /// A step either compares the boards of several weeks with the ledger, or counts the members of
  /// several groups.
  ///
  /// - Parameters:
  ///   - weeks: The maximum number of group-week pairs to check in one call.
  ///   - groups: The maximum number of groups whose members are counted in one call.
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

  /// Repeats the comparison of a chunk and returns the remaining drift.
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
