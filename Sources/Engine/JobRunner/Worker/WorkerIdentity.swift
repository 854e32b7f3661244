import Foundation

/// The identity of a worker.
///
/// The id is random, because host names, process ids and settings are not unique.
struct WorkerIdentity: Sendable {
  let id = UUID()
  /// The worker's current claims.
  let claims = HeldClaims()
  /// A human-readable name for the `worker` table.
  let name: String

  init() {
    let process = ProcessInfo.processInfo
    name = "\(process.hostName):\(process.processIdentifier)"
  }
}
