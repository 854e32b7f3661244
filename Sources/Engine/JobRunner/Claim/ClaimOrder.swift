import BatonJobs

/// How runs of a job are claimed.
///
/// As the database says, not this program: limits and priorities may be those of a newer one, or of calls.
enum ClaimOrder: String, Sendable {
  /// By age, with no question asked.
  case plain
  /// By priority, as its runs have several.
  case priority
  /// In turn with all other claims of the job, as many as its limits leave room for.
  case limit
  /// The same, by groups.
  case group

  /// Of a job that the database was not asked about yet.
  init(of job: JobDefinition) {
    let limits = job.limits
    self =
      if limits.groupConcurrency != nil {
        .group
      } else if limits.concurrency != nil || limits.rate != nil {
        .limit
      } else { .plain }
  }

  /// Whether claims take turns, so that what runs is counted by one at a time.
  var isInTurn: Bool { self == .limit || self == .group }
}
