import BatonJobs
import Foundation

extension UUID {
  /// Creates the fencing token of a new claim.
  ///
  /// A token of UUID version 8 marks the claim of an effect, and a token of version 4 any other
  /// claim. `lost_run.sql` reads the kind of a lost run from the version of the token. The stored
  /// definition of the job may have changed since the claim.
  static func token(of job: JobDefinition) -> UUID {
    let random = UUID()
    guard job.isEffect else { return random }
    var bytes = random.uuid
    bytes.6 = bytes.6 & 0x0f | 0x80
    return UUID(uuid: bytes)
  }
}
