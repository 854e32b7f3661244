import BatonJobs
import Foundation

extension UUID {
  /// Creates the fencing token of a new claim.
  ///
  /// Version 8 marks the claim of an effect, and version 4 any other claim. By the version,
  /// `lost_run.sql` distinguishes the runs of a gone worker, even if another program has stored
  /// another definition of the job since the claim.
  static func token(of job: JobDefinition) -> UUID {
    let random = UUID()
    guard job.isEffect else { return random }
    var bytes = random.uuid
    bytes.6 = bytes.6 & 0x0f | 0x80
    return UUID(uuid: bytes)
  }
}
