package import BatonPostgres

/// Dead runs of one job with the same first line of their errors.
package struct DeadGroup: Sendable, Codable, Hashable {
  /// What names the group: 16 hexadecimal digits, of the line.
  package let id: String
  /// The job's name.
  package let job: String
  /// The first line of the error, its first 200 characters; `[address]` stands for mail addresses, `#` for numbers.
  package let error: String
  /// How many, among the newest ``DeadGroups/most`` dead runs.
  package let count: Int
  /// When the newest and the oldest of these died.
  package let newestAt, oldestAt: Timestamp
  /// The newest one.
  package let newestRun: Int64
}

/// The dead runs by what they died of.
package struct DeadGroups: Sendable, Codable {
  /// The groups, the largest first; 200 at most.
  package let groups: [DeadGroup]
  /// How many dead runs there are, of all jobs.
  package let dead: Count
  /// Whether there are older ones than were looked at.
  package let isSample: Bool

  /// So many dead runs are looked at, the newest.
  package static let most = 20_000
}
