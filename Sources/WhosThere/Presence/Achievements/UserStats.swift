/// What a user has done so far, in numbers.
public struct UserStats: Codable, Hashable, Sendable {
  /// How often they checked in.
  public var checkIns: Int
  /// How often they were the first one of a group on one of its dates.
  public var firstArrivals: Int
  /// In how many groups they checked in.
  public var groupsVisited: Int
  /// The dates in a row that end today or yesterday.
  public var currentStreak: Int
  /// The most dates in a row that there were.
  public var longestStreak: Int
  /// The longest stay that has ended, in whole seconds.
  public var longestStay: Int
  /// How many messages they sent.
  public var messagesSent: Int

  /// Numbers; a new user has none.
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

  /// Reads numbers, none below 0; no streak is longer than the longest one.
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
