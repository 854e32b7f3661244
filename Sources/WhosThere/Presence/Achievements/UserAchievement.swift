public import Foundation

/// Something that a user has achieved; it is never lost.
public struct UserAchievement: Codable, Hashable, Sendable, Identifiable {
  /// What.
  public let type: AchievementType
  /// When.
  public let unlockedAt: Date
  /// What it was worth then.
  public let points: Int
  /// Whether the user has not been shown it.
  public var isNew: Bool

  /// An achievement of a user.
  public init(type: AchievementType, unlockedAt: Date, points: Int, isNew: Bool = true) {
    self.type = type
    self.unlockedAt = unlockedAt
    self.points = points
    self.isNew = isNew
  }

  /// Reads an achievement of a user.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    type = try fields.decode(AchievementType.self, forKey: .type)
    unlockedAt = try fields.decode(Date.self, forKey: .unlockedAt)
    points = try fields.count(.points)
    isNew = try fields.decode(Bool.self, forKey: .isNew)
  }

  /// One of a type.
  public var id: AchievementType { type }

  /// The sum of all unlocks.
  public static func totalPoints(_ earned: [UserAchievement]) -> Int {
    earned.reduce(0) { $0 + $1.points }
  }

  /// What is in a list and was not in the one before, in the list's order.
  public static func newlyUnlocked(
    in earned: [UserAchievement], since before: [UserAchievement]
  ) -> [UserAchievement] {
    let known = Set(before.map(\.type))
    return earned.filter { !known.contains($0.type) }
  }
}

/// How far a user has come with an achievement.
public struct AchievementProgress: Hashable, Sendable, Identifiable {
  /// With which.
  public let type: AchievementType
  /// The number reached, which may be more than is needed.
  public let value: Int
  /// The number that is needed.
  public let goal: Int

  /// How far a user has come.
  public init(type: AchievementType, stats: UserStats) {
    self.type = type
    value = type.value(in: stats)
    goal = type.achievement.goal
  }

  /// How far a server says that a user has come, with a goal above 0.
  public init(type: AchievementType, value: Int, goal: Int) {
    self.type = type
    self.value = value
    self.goal = goal
  }

  /// One of a type.
  public var id: AchievementType { type }

  /// 0 to 1.
  public var fraction: Double { min(1, max(0, Double(value) / Double(goal))) }

  /// Whether nothing is missing.
  public var isComplete: Bool { value >= goal }

  /// How far a user has come with each.
  public static func all(of stats: UserStats) -> [AchievementProgress] {
    AchievementType.allCases.map { AchievementProgress(type: $0, stats: stats) }
  }
}

extension AchievementProgress: Codable {
  private enum CodingKeys: String, CodingKey { case type, value, goal, fraction }

  /// Reads progress whose fraction is that of its numbers.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    type = try fields.decode(AchievementType.self, forKey: .type)
    value = try fields.count(.value)
    goal = try fields.count(.goal)
    try fields.require(goal > 0, .goal, "nothing to reach")
    let told = try fields.decode(Double.self, forKey: .fraction)
    // Systems write the last digit of a third as they like.
    try fields.require(abs(told - fraction) < 1e-6, .fraction, "not that of \(value) in \(goal)")
  }

  /// Writes the numbers and their fraction.
  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: CodingKeys.self)
    try fields.encode(type, forKey: .type)
    try fields.encode(value, forKey: .value)
    try fields.encode(goal, forKey: .goal)
    try fields.encode(fraction, forKey: .fraction)
  }
}

extension UserStats {
  /// What a user has achieved with these numbers.
  public var achieved: [AchievementType] {
    AchievementProgress.all(of: self).filter(\.isComplete).map(\.type)
  }
}
