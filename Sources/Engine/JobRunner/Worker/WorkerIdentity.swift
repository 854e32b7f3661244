import Foundation

/// The identity of a worker: a random id, because host names, process ids and settings are not unique.
struct WorkerIdentity: Sendable {
  let id = UUID()
  /// The current claims of this worker.
  let claims = HeldClaims()
  /// A name for people who read the table of workers.
  let name: String

  init() {
    let process = ProcessInfo.processInfo
    name = "\(process.hostName):\(process.processIdentifier)"
  }
}
