import BatonJobs
import Foundation

extension UUID {
  /// Creates the fencing token of a new claim.
  ///
  /// Version 8 marks the claim of an effect, and version 4 any other claim. The runs of a worker
  /// whose connection is gone can therefore be distinguished (`lost_run.sql`), even if another
  /// program has stored another definition of the job since the claim.
  static func token(of job: JobDefinition) -> UUID {
    let random = UUID()
    guard job.isEffect else { return random }
    var bytes = random.uuid
    bytes.6 = bytes.6 & 0x0f | 0x80
    return UUID(uuid: bytes)
  }
}
