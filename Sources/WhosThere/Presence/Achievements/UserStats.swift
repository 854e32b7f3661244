/// A user's statistics.
public struct UserStats: Codable, Hashable, Sendable {
  /// The number of check-ins.
  public var checkIns: Int
  /// The number of days on which the user was the first member of a group to check in.
  public var firstArrivals: Int
  /// The number of groups at whose place the user has checked in.
  public var groupsVisited: Int
  /// The number of consecutive dates with a check-in, up to today or yesterday.
  public var currentStreak: Int
  /// The highest number of consecutive dates with a check-in.
  public var longestStreak: Int
  /// The duration of the longest completed stay, in whole seconds.
  public var longestStay: Int
  /// The number of messages that the user has sent.
  public var messagesSent: Int

  /// Creates a user's statistics, in which each number is 0 by default.
  public init(
    checkIns: Int = 0, firstArrivals: Int = 0, groupsVisited: Int = 0, currentStreak: Int = 0,
    longestStreak: Int = 0, longestStay: Int = 0, messagesSent: Int = 0
  ) {
    self.checkIns = checkIns
    self.firstArrivals = firstArrivals
    self.groupsVisited = groupsVisited
    self.currentStreak = currentStreak
    self.longestStreak = longestStreak
    self.longestStay = longestStay
    self.messagesSent = messagesSent
  }

  /// Decodes statistics.
  ///
  /// - Throws: `DecodingError` if a number is below 0 or the current streak is longer than the
  ///   longest streak.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    checkIns = try fields.count(.checkIns)
    firstArrivals = try fields.count(.firstArrivals)
    groupsVisited = try fields.count(.groupsVisited)
    currentStreak = try fields.count(.currentStreak)
    longestStreak = try fields.count(.longestStreak)
    longestStay = try fields.count(.longestStay)
    messagesSent = try fields.count(.messagesSent)
    try fields.require(
      currentStreak <= longestStreak, .currentStreak, "longer than the longest streak")
  }
}
