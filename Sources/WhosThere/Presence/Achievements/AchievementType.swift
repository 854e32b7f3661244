/// The achievements that a user can unlock, in the order of the catalog.
public enum AchievementType: String, CaseIterable, Codable, Hashable, Sendable {
  /// The user has checked in once.
  case firstCheckIn
  /// The user has checked in ten times.
  case regular
  /// The user has checked in fifty times.
  case devoted
  /// The user has checked in two hundred times.
  case legend
  /// The user was the first member of a group to check in on a day.
  case firstOfTheDay
  /// The user was the first member of a group to check in on ten days.
  case earlyBird
  /// The user has checked in at the places of three groups.
  case explorer
  /// The user has checked in at the places of ten groups.
  case wanderer
  /// The user has checked in on seven consecutive days.
  case weekStreak
  /// The user has checked in on thirty consecutive days.
  case monthStreak
  /// The user has stayed at a place for eight hours without a break.
  case marathon
  /// The user has sent fifty messages.
  case talkative
}

/// An entry in the achievement catalog, which the server stores in a table.
public struct Achievement: Hashable, Sendable, Identifiable {
  /// The achievement's type.
  public let type: AchievementType
  /// The achievement's name.
  public let title: String
  /// A description of how to unlock the achievement.
  public let description: String
  /// The number of points that the achievement is worth.
  public let points: Int
  /// The value at which the achievement is unlocked.
  ///
  /// If the value is a duration, the goal is in seconds.
  public let goal: Int

  /// The achievement's type.
  public var id: AchievementType { type }

  /// All achievements in display order.
  public static let catalogue = AchievementType.allCases.map(\.achievement)
}

extension AchievementType {
  /// The catalog entry for this type.
  public var achievement: Achievement {
    switch self {
    case .firstCheckIn: line("First Check-In", "Check in for the first time.", 10, 1)
    case .regular: line("Regular", "Check in 10 times.", 25, 10)
    case .devoted: line("Devoted", "Check in 50 times.", 50, 50)
    case .legend: line("Legend", "Check in 200 times.", 100, 200)
    case .firstOfTheDay: line("First of the Day", "Be the first to arrive on a day.", 15, 1)
    case .earlyBird: line("Early Bird", "Be the first to arrive on 10 days.", 30, 10)
    case .explorer: line("Explorer", "Check in to 3 groups.", 25, 3)
    case .wanderer: line("Wanderer", "Check in to 10 groups.", 75, 10)
    case .weekStreak: line("Week Streak", "Check in on 7 days in a row.", 40, 7)
    case .monthStreak: line("Month Streak", "Check in on 30 days in a row.", 150, 30)
    case .marathon: line("Marathon", "Stay for 8 hours.", 60, 28_800)
    case .talkative: line("Talkative", "Send 50 messages.", 20, 50)
    }
  }

  private func line(
    _ title: String, _ description: String, _ points: Int, _ goal: Int
  ) -> Achievement {
    Achievement(type: self, title: title, description: description, points: points, goal: goal)
  }

  /// Returns the number in a user's statistics that is compared with the achievement's goal.
  public func value(in stats: UserStats) -> Int {
    switch self {
    case .firstCheckIn, .regular, .devoted, .legend: stats.checkIns
    case .firstOfTheDay, .earlyBird: stats.firstArrivals
    case .explorer, .wanderer: stats.groupsVisited
    case .weekStreak, .monthStreak: stats.longestStreak
    case .marathon: stats.longestStay
    case .talkative: stats.messagesSent
    }
  }
}
