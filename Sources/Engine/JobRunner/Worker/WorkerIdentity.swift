import Foundation

/// Who a worker is: a random id, because host names, process ids and settings repeat.
struct WorkerIdentity: Sendable {
  let id = UUID()
  /// What this worker has claimed.
  let claims = HeldClaims()
  /// For people who read the table of workers.
  let name: String

  init() {
    let process = ProcessInfo.processInfo
    name = "\(process.hostName):\(process.processIdentifier)"
  }
}
