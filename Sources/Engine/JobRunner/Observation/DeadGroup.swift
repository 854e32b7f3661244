package import BatonPostgres

/// Dead runs of one job with the same first line of their errors.
package struct DeadGroup: Sendable, Codable, Hashable {
  /// The id of the group: 16 hexadecimal digits, computed from the line.
  package let id: String
  /// The job's name.
  package let job: String
  /// The first 200 characters of the error's first line; `[address]` replaces mail addresses, and `#` replaces
  /// numbers.
  package let error: String
  /// The number of runs in the group, among the newest ``DeadGroups/most`` dead runs.
  package let count: Int
  /// When the newest and the oldest of these died.
  package let newestAt, oldestAt: Timestamp
  /// The newest run of the group.
  package let newestRun: Int64
}

/// The dead runs, grouped by their errors.
package struct DeadGroups: Sendable, Codable {
  /// The groups, the largest first; 200 at most.
  package let groups: [DeadGroup]
  /// The number of dead runs of all jobs.
  package let dead: Count
  /// Whether there are dead runs that are older than those that were read.
  package let isSample: Bool

  /// The most dead runs that are read; the newest are read.
  package static let most = 20_000
}
