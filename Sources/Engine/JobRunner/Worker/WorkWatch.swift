package import BatonJobs
import BatonPostgres
import Foundation
import Synchronization

/// Reports the start and the result of each attempt to a watcher.
///
/// A watcher requires two additional statements for each step.
package final class WorkWatch: Sendable {
  /// One job's runs that are processed together.
  package struct Work: Sendable {
    /// The job's name.
    package let job: String
    /// The keys of the runs.
    package let keys: [String]
    /// The first run's payload, or nil if it has none.
    package let payload: String?
    /// The number of this attempt, starting at 1, and the maximum number of attempts.
    package let attempt, attempts: Int
  }

  /// The result of an attempt.
  package enum End: Sendable {
    /// The attempt was committed. The associated values are the job's report and the numbers of
    /// written rows.
    case done(Report, [InlineRunner.Change])
    /// The attempt was rolled back, and the runs are due again after the given wait.
    ///
    /// If `isInParts` is true, the batch is retried in smaller parts.
    case released(any Error, wait: Duration, isInParts: Bool)
    /// The attempt was rolled back, and the runs are dead.
    case dead(any Error)
    /// The attempt was rolled back, because another worker has claimed the runs.
    case lost
    /// The attempt was rolled back, because the cancellation of one of its runs was requested.
    ///
    /// All of the attempt's runs that have no cancellation request are processed again.
    case cancelled
  }

  private let began: @Sendable (Work) -> Void
  private let ended: @Sendable (Work, End, _ took: Duration) -> Void
  /// The numbers of rows that the steps have written so far, keyed by claim and table.
  private let changes = Mutex<[UUID: [String: InlineRunner.Change]]>([:])

  /// Creates a watcher.
  ///
  /// - Parameters:
  ///   - began: called before the first statement of an attempt.
  ///   - ended: called after a successful attempt's COMMIT. After a failed attempt, called when the
  ///     attempt's runs have been settled.
  package init(
    began: @escaping @Sendable (Work) -> Void,
    ended: @escaping @Sendable (Work, End, _ took: Duration) -> Void
  ) {
    self.began = began
    self.ended = ended
  }

  /// Processes a claim, and reports the start and the result of the attempt.
  func around(_ claim: Claim, _ body: () async -> AttemptResult) async -> AttemptResult {
    let start = ContinuousClock.now
    begin(claim)
    let result = await body()
    end(claim, result, after: start.duration(to: .now))
    return result
  }

  /// Reports the start of an attempt.
  func begin(_ claim: Claim) { began(work(claim)) }

  /// Reports the result of an attempt.
  func end(_ claim: Claim, _ result: AttemptResult, after took: Duration) {
    let written = changes.withLock { $0.removeValue(forKey: claim.token) }
    ended(work(claim), end(result, written ?? [:]), took)
  }

  private func work(_ claim: Claim) -> Work {
    let job = claim.job.definition
    return Work(
      job: job.name, keys: claim.keys, payload: claim.runs.first?.payload,
      attempt: claim.runs.map(\.attempt).max() ?? 1, attempts: job.retry.attempts)
  }

  /// Returns a step that also counts the rows that it writes.
  ///
  /// Rows are counted before and after the step, because the server's counters may already include
  /// rows written by earlier statements.
  func counting(_ step: @escaping RegisteredJob.Step, of claim: Claim) -> RegisteredJob.Step {
    { [self] transaction in
      let before = try await transaction.run(QueueCalls.countChanges)
      let result = try await step(transaction)
      let after = try await transaction.run(QueueCalls.countChanges)
      add(after, since: before, to: claim.token)
      return result
    }
  }

  private func add(
    _ after: [InlineRunner.Change], since before: [InlineRunner.Change], to token: UUID
  ) {
    let old = Dictionary(before.map { ($0.table, $0) }) { first, _ in first }
    changes.withLock { changes in
      for change in after {
        let new = change - old[change.table]
        let sum = new + changes[token]?[change.table]
        if sum.isAny { changes[token, default: [:]][change.table] = sum }
      }
    }
  }

  private func end(
    _ result: AttemptResult, _ written: [String: InlineRunner.Change]
  ) -> End {
    switch result {
    case .done(let report): .done(report, written.values.sorted { $0.table < $1.table })
    case .undone(let error, .release(_, let wait, let limit)?):
      .released(error, wait: wait, isInParts: (limit ?? 0) > 0)
    case .undone(let error, .deadLetter?): .dead(error)
    case .undone(_, .none): .lost
    case .cancelled: .cancelled
    }
  }
}

extension InlineRunner.Change {
  fileprivate var isAny: Bool { inserted + updated + deleted > 0 }

  fileprivate static func + (left: Self, right: Self?) -> Self {
    Self(
      table: left.table, inserted: left.inserted + (right?.inserted ?? 0),
      updated: left.updated + (right?.updated ?? 0), deleted: left.deleted + (right?.deleted ?? 0))
  }

  fileprivate static func - (left: Self, right: Self?) -> Self {
    Self(
      table: left.table, inserted: left.inserted - (right?.inserted ?? 0),
      updated: left.updated - (right?.updated ?? 0), deleted: left.deleted - (right?.deleted ?? 0))
  }
}
