import BatonJobs
import BatonPostgres
import JobRunner

/// A transactional job that records its start like ``PostJob``, and then waits for the same file.
struct HoldJob: BatchJob {
  static let definition = Definition<Self>("hold", timeout: .seconds(120))

  static func run(_ batch: [Run<Self>], in office: PostOffice) async throws {
    for run in batch { try office.post("\(run.id) \(run.key) \(run.attempt)\n") }
    while !office.isOpen { try await Task.sleep(for: .milliseconds(10)) }
  }
}
