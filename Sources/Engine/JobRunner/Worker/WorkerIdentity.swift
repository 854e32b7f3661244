import Foundation

/// The identity of a worker.
///
/// The id is random, because host names, process ids and settings are not unique.
struct WorkerIdentity: Sendable {
  let id = UUID()
  /// The current claims of the worker.
  let claims = HeldClaims()
  /// A human-readable name for the table `worker`.
  let name: String

  init() {
    let process = ProcessInfo.processInfo
    name = "\(process.hostName):\(process.processIdentifier)"
  }
}
