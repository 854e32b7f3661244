public import Foundation

/// A competition that ranks a group's members by one quantity in one week.
///
/// A challenge together with its entries and standings is called a board.
public struct Challenge: Codable, Hashable, Sendable, Identifiable {
  /// The challenge's `ChallengeID` as text.
  public let id: String
  /// The id of the group whose members take part in the challenge.
  public let groupId: String
  /// The quantity that the challenge counts.
  public var type: ChallengeType
  /// The start of the challenge's week: Monday 00:00:00 UTC.
  public let weekStartDate: Date
  /// The last second of the challenge's week, Sunday 23:59:59 UTC, for display only.
  ///
  /// To check whether a time is in the week, use ``contains(_:)``.
  public let weekEndDate: Date
  /// Whether the challenge still accepts workouts.
  public var isActive: Bool
  /// The time when the challenge was created.
  public let createdAt: Date

  /// Creates a challenge for a week.
  ///
  /// The challenge's dates are derived from the week.
  public init(
    id: String, groupId: String, type: ChallengeType, week: Week, isActive: Bool, createdAt: Date
  ) {
    self.id = id
    self.groupId = groupId
    self.type = type
    weekStartDate = week.startDate
    weekEndDate = week.lastSecond
    self.isActive = isActive
    self.createdAt = createdAt
  }

  /// Decodes a challenge.
  ///
  /// - Throws: `DecodingError` if the dates are not the start and the end of one week.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    let start = try fields.decode(Date.self, forKey: .weekStartDate)
    guard let week = Week(startDate: start) else {
      throw DecodingError.dataCorruptedError(
        forKey: .weekStartDate, in: fields, debugDescription: "not a Monday 00:00:00 UTC")
    }
    guard try fields.decode(Date.self, forKey: .weekEndDate) == week.lastSecond else {
      throw DecodingError.dataCorruptedError(
        forKey: .weekEndDate, in: fields, debugDescription: "not the following Sunday 23:59:59 UTC")
    }
    self.init(
      id: try fields.decode(String.self, forKey: .id),
      groupId: try fields.decode(String.self, forKey: .groupId),
      type: try fields.decode(ChallengeType.self, forKey: .type), week: week,
      isActive: try fields.decode(Bool.self, forKey: .isActive),
      createdAt: try fields.decode(Date.self, forKey: .createdAt))
  }
}

extension Challenge {
  /// The challenge's week, which can be compared with the week of a given time.
  public var week: Week { Week(containing: weekStartDate) }

  /// Returns whether a time is in the challenge's week.
  ///
  /// The week starts on Monday 00:00:00 UTC and ends before the next Monday 00:00:00 UTC.
  public func contains(_ instant: Date) -> Bool { Week(containing: instant) == week }
}

/// The quantity that a challenge counts.
///
/// The raw values are used in JSON.
public enum ChallengeType: String, CaseIterable, Codable, Hashable, Sendable {
  /// The number of workouts in the week.
  case checkIns = "check-ins"
  /// The length of a streak, which is the number of consecutive local dates with a workout.
  ///
  /// The streak may begin before the week.
  case streak
}
