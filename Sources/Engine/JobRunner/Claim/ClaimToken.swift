import BatonJobs
import Foundation

extension UUID {
  /// Creates the fencing token of a new claim.
  ///
  /// A token for the claim of an effect is a UUID of version 8. A token for any other claim is a
  /// UUID of version 4. `lost_run.sql` reads the kind of a lost run from the version of the token.
  /// `lost_run.sql` cannot use the job's stored definition, which may have changed since the claim.
  static func token(of job: JobDefinition) -> UUID {
    let random = UUID()
    guard job.isEffect else { return random }
    var bytes = random.uuid
    bytes.6 = bytes.6 & 0x0f | 0x80
    return UUID(uuid: bytes)
  }
}
