public import Foundation

/// A group, a week and what is counted there; with its entries and standings it is a board.
public struct Challenge: Codable, Hashable, Sendable, Identifiable {
  /// A `ChallengeID`, as text.
  public let id: String
  /// Whose members take part.
  public let groupId: String
  /// What it counts.
  public var type: ChallengeType
  /// Monday 00:00:00 UTC.
  public let weekStartDate: Date
  /// Sunday 23:59:59 UTC, only for display: code that compares instants uses `contains`.
  public let weekEndDate: Date
  /// Whether it still takes workouts.
  public var isActive: Bool
  /// When it was made.
  public let createdAt: Date

  /// A challenge of a week, whose dates follow from it.
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

  /// Reads a challenge; its dates have to be those of one week.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    let start = try fields.decode(Date.self, forKey: .weekStartDate)
    guard let week = Week(startDate: start) else {
      throw DecodingError.dataCorruptedError(
        forKey: .weekStartDate, in: fields, debugDescription: "not a Monday 00:00:00 UTC")
    }
    guard try fields.decode(Date.self, forKey: .weekEndDate) == week.lastSecond else {
      throw DecodingError.dataCorruptedError(
        forKey: .weekEndDate, in: fields, debugDescription: "not the Sunday 23:59:59 UTC behind it")
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
  /// Its week, which all comparisons go by.
  public var week: Week { Week(containing: weekStartDate) }

  /// Whether a workout at this instant belongs to its week: from the start, and before the next Monday.
  public func contains(_ instant: Date) -> Bool { Week(containing: instant) == week }
}

/// What a challenge counts.
///
/// The raw values are what goes over the wire.
public enum ChallengeType: String, CaseIterable, Codable, Hashable, Sendable {
  /// Workouts in the week.
  case checkIns = "check-ins"
  /// The longest run of consecutive local dates that reaches into the week.
  case streak
}
