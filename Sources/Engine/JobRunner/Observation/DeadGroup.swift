public import BatonPostgres

/// Dead runs of one job with the same first line of their errors.
public struct DeadGroup: Sendable, Codable, Hashable {
  /// What names the group: 16 hexadecimal digits, of the line.
  public let id: String
  /// The job's name.
  public let job: String
  /// The first line of the error, its first 200 characters; `[address]` stands for mail addresses, `#` for numbers.
  public let error: String
  /// How many, among the newest ``DeadGroups/most`` dead runs.
  public let count: Int
  /// When the newest and the oldest of these died.
  public let newestAt, oldestAt: Timestamp
  /// The newest one.
  public let newestRun: Int64
}

/// The dead runs by what they died of.
public struct DeadGroups: Sendable, Codable {
  /// The groups, the largest first; 200 at most.
  public let groups: [DeadGroup]
  /// How many dead runs there are, of all jobs.
  public let dead: Count
  /// Whether there are older ones than were looked at.
  public let isSample: Bool

  /// So many dead runs are looked at, the newest.
  public static let most = 20_000
}
