import BatonJobs
import Foundation
import JobRunner

/// An effect job that writes to a file, in place of another service, and then waits for a second
/// file.
struct PostJob: EffectJob {
  static let definition = Definition<Self>("post", timeout: .seconds(120))

  static func perform(_ run: Run<Self>, in office: PostOffice) async throws {
    try office.post("\(run.id) \(run.key) \(run.attempt)\n")
    do {
      while !office.isOpen { try await Task.sleep(for: .milliseconds(10)) }
    } catch {
      try office.post("cancelled \(run.id)\n")
      throw error
    }
  }
}

/// An effect job with two steps, of which the second waits like ``PostJob``.
///
/// Between the steps, a run whose key begins with `wait` waits for the event `stamped`.
struct StepPostJob: EffectJob {
  static let definition = Definition<Self>("step-post", timeout: .seconds(120))

  static func perform(_ run: Run<Self>, in office: PostOffice) async throws {
    try await run.step("stamp") { key in try office.post("\(key)\n") }
    if run.key.hasPrefix("wait") {
      let isStamped = try await run.waitForEvent("stamped", key: run.key, timeout: .seconds(600))
      guard isStamped else { return try office.post("timeout \(run.id)\n") }
    }
    try await run.step("send") { key in
      try office.post("\(key)\n")
      while !office.isOpen { try await Task.sleep(for: .milliseconds(10)) }
    }
  }
}

/// A folder with the files of the effects.
struct PostOffice: Sendable {
  let folder: String

  var isOpen: Bool { FileManager.default.fileExists(atPath: folder + "/open") }

  /// Several attempts may begin at the same time, so each line is appended with one call.
  func post(_ line: String) throws { try PostBox(file: folder + "/posted").append(line) }
}
