import BatonJobs

/// How runs of a job are claimed.
///
/// The database decides, not this program: a newer program or a call may have set limits and priorities.
enum ClaimOrder: String, Sendable {
  /// By age, without reading limits or priorities.
  case plain
  /// By priority, because the job's runs have different ones.
  case priority
  /// One claim of the job at a time, with as many runs as its limits allow.
  case limit
  /// The same, with limits by group.
  case group

  /// The order to assume before the database was read.
  init(of job: JobDefinition) {
    let limits = job.limits
    self =
      if limits.groupConcurrency != nil {
        .group
      } else if limits.concurrency != nil || limits.rate != nil {
        .limit
      } else { .plain }
  }

  /// Whether claims take turns, so that only one at a time counts the running runs.
  var isInTurn: Bool { self == .limit || self == .group }
}
