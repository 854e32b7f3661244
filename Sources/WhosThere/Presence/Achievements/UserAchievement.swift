public import Foundation

/// An achievement that a user has unlocked.
///
/// An unlocked achievement is never removed.
public struct UserAchievement: Codable, Hashable, Sendable, Identifiable {
  /// The achievement's type.
  public let type: AchievementType
  /// The time when the user unlocked the achievement.
  public let unlockedAt: Date
  /// The number of points that the achievement was worth when the user unlocked it.
  public let points: Int
  /// Whether the app has not shown the achievement to the user yet.
  public var isNew: Bool

  /// Creates an unlocked achievement.
  public init(type: AchievementType, unlockedAt: Date, points: Int, isNew: Bool = true) {
    self.type = type
    self.unlockedAt = unlockedAt
    self.points = points
    self.isNew = isNew
  }

  /// Decodes an unlocked achievement.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    type = try fields.decode(AchievementType.self, forKey: .type)
    unlockedAt = try fields.decode(Date.self, forKey: .unlockedAt)
    points = try fields.count(.points)
    isNew = try fields.decode(Bool.self, forKey: .isNew)
  }

  /// The achievement's type, which is unique among a user's achievements.
  public var id: AchievementType { type }

  /// Returns the total points of all unlocked achievements.
  public static func totalPoints(_ earned: [UserAchievement]) -> Int {
    earned.reduce(0) { $0 + $1.points }
  }

  /// Returns the achievements that are only in the new list, in the order of the new list.
  public static func newlyUnlocked(
    in earned: [UserAchievement], since before: [UserAchievement]
  ) -> [UserAchievement] {
    let known = Set(before.map(\.type))
    return earned.filter { !known.contains($0.type) }
  }
}

/// A user's progress toward an achievement.
public struct AchievementProgress: Hashable, Sendable, Identifiable {
  /// The achievement's type.
  public let type: AchievementType
  /// The value that the user has reached, which may exceed the goal.
  public let value: Int
  /// The value at which the achievement is unlocked.
  public let goal: Int

  /// Creates the progress from a user's statistics.
  public init(type: AchievementType, stats: UserStats) {
    self.type = type
    value = type.value(in: stats)
    goal = type.achievement.goal
  }

  /// Creates the progress from values sent by a server, with a goal above 0.
  public init(type: AchievementType, value: Int, goal: Int) {
    self.type = type
    self.value = value
    self.goal = goal
  }

  /// The achievement's type.
  public var id: AchievementType { type }

  /// The progress as a fraction from 0 to 1.
  public var fraction: Double { min(1, max(0, Double(value) / Double(goal))) }

  /// Whether the value has reached the goal.
  public var isComplete: Bool { value >= goal }

  /// Returns the progress toward each achievement.
  public static func all(of stats: UserStats) -> [AchievementProgress] {
    AchievementType.allCases.map { AchievementProgress(type: $0, stats: stats) }
  }
}

extension AchievementProgress: Codable {
  private enum CodingKeys: String, CodingKey { case type, value, goal, fraction }

  /// Decodes the progress.
  ///
  /// - Throws: `DecodingError` if the encoded fraction does not match the encoded value and goal.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    type = try fields.decode(AchievementType.self, forKey: .type)
    value = try fields.count(.value)
    goal = try fields.count(.goal)
    try fields.require(goal > 0, .goal, "nothing to reach")
    let told = try fields.decode(Double.self, forKey: .fraction)
    // The encoded fraction can differ slightly from the computed fraction, because systems round
    // fractions differently.
    try fields.require(abs(told - fraction) < 1e-6, .fraction, "not that of \(value) in \(goal)")
  }

  /// Encodes the type, the value, the goal and the fraction.
  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: CodingKeys.self)
    try fields.encode(type, forKey: .type)
    try fields.encode(value, forKey: .value)
    try fields.encode(goal, forKey: .goal)
    try fields.encode(fraction, forKey: .fraction)
  }
}

extension UserStats {
  /// The achievements whose goals the statistics have reached.
  public var achieved: [AchievementType] {
    AchievementProgress.all(of: self).filter(\.isComplete).map(\.type)
  }
}
