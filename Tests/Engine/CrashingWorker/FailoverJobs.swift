import BatonJobs
import BatonPostgres
import Foundation
import JobRunner

/// A job with a schedule.
///
/// Each occurrence adds one row in the job's transaction.
struct BeatJob: BatchJob {
  static let definition = Definition<Self>("beat", on: [.every(.seconds(1), missed: .all)])

  static func run(_ batch: [Run<Self>], in context: Effects) async throws {
    try await context.write(batch.map(\.key))
  }
}

/// An effect that appends a line to a file, as another service would record the request.
struct MailJob: EffectJob {
  static let definition = Definition<Self>(
    "mail", on: [.event(Topic("mail.asked"))], concurrency: 20, timeout: .seconds(30))

  static func perform(_ run: Run<Self>, in box: PostBox) async throws {
    try box.append("\(run.id) \(run.key)\n")
    try await Task.sleep(for: .milliseconds(20))
  }
}

/// A file to which several processes append lines.
struct PostBox: Sendable {
  let file: String

  func append(_ line: String) throws {
    let descriptor = open(file, O_WRONLY | O_APPEND | O_CREAT, 0o600)
    guard descriptor >= 0 else { throw PostBoxFailure() }
    defer { close(descriptor) }
    // The line is written with one call, because lines of two processes must not be mixed.
    guard line.withCString({ write(descriptor, $0, strlen($0)) }) == line.utf8.count else {
      throw PostBoxFailure()
    }
  }
}

/// The file cannot be written.
struct PostBoxFailure: Error {}
