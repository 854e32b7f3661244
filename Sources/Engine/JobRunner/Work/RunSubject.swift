import BatonJobs

/// The job and the key of a run.
///
/// Unlike the id of a run, both stay the same if a returned run is merged into a newer run of its
/// key. The key is compared by its bytes, like in the database. Two texts with different bytes can
/// be equal strings, for example `é` with one and with two Unicode scalars.
struct RunSubject: Hashable, Sendable {
  private let job: String
  private let key: [UInt8]

  init(job: String, key: String) {
    self.job = job
    self.key = Array(key.utf8)
  }

  init(_ run: ClaimedRun, of claim: Claim) {
    self.init(job: claim.job.definition.name, key: run.key)
  }
}
