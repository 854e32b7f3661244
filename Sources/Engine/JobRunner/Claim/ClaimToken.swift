import BatonJobs
import Foundation

extension UUID {
  /// Creates the fencing token of a new claim.
  ///
  /// A token for the claim of an effect is a UUID of version 8. A token for any other claim is a
  /// UUID of version 4. From the token's version, `lost_run.sql` detects whether a run is an
  /// effect. `lost_run.sql` does not read the job's stored definition, because the definition may
  /// have changed since the claim.
  static func token(of job: JobDefinition) -> UUID {
    let random = UUID()
    guard job.isEffect else { return random }
    var bytes = random.uuid
    bytes.6 = bytes.6 & 0x0f | 0x80
    return UUID(uuid: bytes)
  }
}
