package import BatonPostgres

/// The dead runs of one job whose errors have the same first line.
package struct DeadGroup: Sendable, Codable, Hashable {
  /// The id of the group: a hash of the error's first line, in 16 hexadecimal digits.
  package let id: String
  /// The job's name.
  package let job: String
  /// The first 200 characters of the error's first line.
  ///
  /// In the line, `[address]` replaces email addresses, and `#` replaces numbers.
  package let error: String
  /// The number of runs in the group.
  ///
  /// Only the newest ``DeadGroups/most`` dead runs are counted.
  package let count: Int
  /// The times when the group's newest and oldest runs died.
  package let newestAt, oldestAt: Timestamp
  /// The id of the newest run in the group.
  package let newestRun: Int64
}

/// The dead runs of all jobs, grouped by the first line of their errors.
package struct DeadGroups: Sendable, Codable {
  /// Up to 200 groups, largest first.
  package let groups: [DeadGroup]
  /// The number of dead runs of all jobs.
  package let dead: Count
  /// Whether only some of the dead runs were read.
  package let isSample: Bool

  /// The maximum number of dead runs that are read, starting with the newest.
  package static let most = 20_000
}
