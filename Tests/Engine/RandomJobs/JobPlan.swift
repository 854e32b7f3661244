import BatonJobs
import Foundation
package import JobRunner

/// The definition of one random job, as text that a worker process reads.
package struct JobPlan: Codable, Sendable {
  /// The kinds of jobs.
  package enum Kind: String, Codable, Sendable, CaseIterable {
    case batch, step, effect
  }

  /// The rules for merging events with the same key.
  ///
  /// All times are in ms.
  package enum Merging: Codable, Sendable, Equatable {
    case none
    case quiet(Int, atMost: Int)
    case every(Int)
  }

  package var name: String
  package var kind: Kind
  package var merging: Merging
  package var batch: Int
  package var priority: Int
  /// The number of attempts, and the first and the longest wait, in ms.
  package var attempts: Int
  package var firstWait: Int
  package var longestWait: Int
  package var timeout: Int
  package var keepsHistory: Bool
  package var takesAllPayloads: Bool
  package var concurrency: Int?
  package var groupConcurrency: Int?
  package var perSecond: Int?
  package var groupPerSecond: Int?
  package var burst: Int
  /// Whether writes to the job's table trigger the job.
  package var hasTable: Bool

  /// Creates the plan of a job with only default values.
  package init(name: String, kind: Kind) {
    self.name = name
    self.kind = kind
    (merging, batch, priority) = (.none, 10, 5)
    (attempts, firstWait, longestWait, timeout) = (3, 5, 40, 2_000)
    (keepsHistory, takesAllPayloads, hasTable) = (false, false, false)
    (concurrency, groupConcurrency, perSecond, groupPerSecond, burst) = (nil, nil, nil, nil, 1)
  }

  /// The topic of the job's events.
  package var topic: String { "random.\(name)" }
  /// The table whose inserts trigger the job.
  package var table: String { "source_\(name.replacing("-", with: "_"))" }

  /// The plan of the job that is being registered, because a definition is a property of a type.
  @TaskLocal package static var current = JobPlan(name: "none", kind: .batch)

  /// Returns the job for a worker or an inline runner.
  ///
  /// - Parameter post: the file to which effects append.
  package func registered(post: String) -> RegisteredJob {
    Self.$current.withValue(self) {
      switch kind {
      case .batch: RegisteredJob(RandomBatch.self) { RandomRecord(transaction: $0, job: name) }
      case .step: RegisteredJob(RandomSteps.self) { RandomRecord(transaction: $0, job: name) }
      case .effect: RegisteredJob(RandomEffect.self) { _ in RandomPost(file: post, job: name) }
      }
    }
  }

  // MARK: Definitions

  var debounce: Debounce {
    switch merging {
    case .none: .none
    case .quiet(let quiet, let atMost):
      .perKey(quiet: .milliseconds(quiet), atMost: .milliseconds(atMost))
    case .every(let every): .perKey(every: .milliseconds(every))
    }
  }

  var retry: Retry {
    .attempts(
      attempts, exponentialFrom: .milliseconds(firstWait), to: .milliseconds(longestWait))
  }

  var limits: [Limit] {
    [
      concurrency.map { .concurrency($0) },
      groupConcurrency.map { .concurrency($0, per: .payload("group")) },
      perSecond.map { .perSecond($0, burst: burst) },
      groupPerSecond.map { .perSecond($0, burst: burst, per: .payload("group")) },
    ].compactMap(\.self)
  }

  /// Whether the job has any limit.
  package var hasLimits: Bool { !limits.isEmpty }
  /// Whether the job has a limit for each group.
  package var hasGroups: Bool { groupConcurrency != nil || groupPerSecond != nil }

  func triggers<J: Job>(of type: J.Type) -> [Trigger<J>] {
    [.event(Topic(topic))] + (hasTable ? [.table(table, on: .insert, key: "key")] : [])
  }

  var payloads: Payloads { takesAllPayloads ? .all : .newest }
}
