import BatonJobs

/// The order in which a job's runs are claimed.
///
/// The database determines the order, because a newer program or a command may have set limits and
/// priorities that this program does not know about.
enum ClaimOrder: String, Sendable {
  /// The oldest runs are claimed first, because the job has no limits and no priorities.
  case plain
  /// The most urgent runs are claimed first, because the job's runs have different priorities.
  case priority
  /// One claim of the job runs at a time, with as many runs as the limits permit.
  case limit
  /// Only one claim of the job runs at a time, and each claim applies the limits of each group.
  case group

  /// Creates the order that is used until the actual one has been read from the database.
  init(of job: JobDefinition) {
    let limits = job.limits
    self =
      if limits.groupConcurrency != nil || limits.groupRate != nil {
        .group
      } else if limits.concurrency != nil || limits.rate != nil {
        .limit
      } else { .plain }
  }

  /// Whether claims of the job are serialized, so that only one claim at a time counts the running
  /// runs.
  var isInTurn: Bool { self == .limit || self == .group }
}
