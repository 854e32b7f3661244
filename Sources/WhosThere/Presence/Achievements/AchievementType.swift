/// What a user can achieve; the catalogue's order.
public enum AchievementType: String, CaseIterable, Codable, Hashable, Sendable {
  /// One check-in.
  case firstCheckIn
  /// Ten.
  case regular
  /// Fifty.
  case devoted
  /// Two hundred.
  case legend
  /// The first one of a group on one of its dates.
  case firstOfTheDay
  /// That ten times.
  case earlyBird
  /// Three groups.
  case explorer
  /// Ten groups.
  case wanderer
  /// Seven dates in a row.
  case weekStreak
  /// Thirty dates in a row.
  case monthStreak
  /// Eight hours in a row.
  case marathon
  /// Fifty messages.
  case talkative
}

/// A line of the catalogue, which the server has as a table.
public struct Achievement: Hashable, Sendable, Identifiable {
  /// Which one.
  public let type: AchievementType
  /// Its name.
  public let title: String
  /// How it is achieved.
  public let description: String
  /// What it is worth.
  public let points: Int
  /// The number that has to be reached; for a stay, seconds.
  public let goal: Int

  /// The type.
  public var id: AchievementType { type }

  /// All of them, in the order in which they are shown.
  public static let catalogue = AchievementType.allCases.map(\.achievement)
}

extension AchievementType {
  /// Its line of the catalogue.
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

  /// The number of a user's that has to reach the goal.
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
