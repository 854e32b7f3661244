import BatonJobs
import Foundation

extension UUID {
  /// Creates the fencing token for a new claim.
  ///
  /// For a run of an effect job, the token is a version 8 UUID. For a run of any other job, the
  /// token is a version 4 UUID. The SQL fragment `lost_run.sql` recognizes runs of effect jobs by
  /// the UUID version of their tokens. The fragment does not read the job's stored definition,
  /// because it may have changed since the claim.
  static func token(of job: JobDefinition) -> UUID {
    let random = UUID()
    guard job.isEffect else { return random }
    var bytes = random.uuid
    bytes.6 = bytes.6 & 0x0f | 0x80
    return UUID(uuid: bytes)
  }
}
