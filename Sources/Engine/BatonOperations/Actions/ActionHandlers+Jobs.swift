import Baton
import BatonJobs
import BatonPostgres
import Foundation
import JobRunner

/// The actions on jobs and schedules.
///
/// Each action writes the same audit rows as the `jobs` and `schedule` commands.
extension ActionHandlers {
  func pause(_ isPaused: Bool, _ job: String, _ queue: Queue) async throws -> ActionResult {
    guard try await queue.setPaused(isPaused, job: job) else { throw Complaint.noJob(job) }
    return ActionResult(
      text: isPaused
        ? "\(job) is paused: its runs wait." : "\(job) is resumed: workers claim its runs.",
      count: 1)
  }

  func pause(
    _ isPaused: Bool, _ id: ScheduleID, _ scheduler: Scheduler
  ) async throws -> ActionResult {
    guard try await scheduler.setPaused(isPaused, id) else { throw ScheduleProblem.missing(id) }
    return ActionResult(
      text: isPaused
        ? "The schedule of \(id) is paused: its occurrences are skipped."
        : "The schedule of \(id) is resumed: occurrences during the pause count as missed.",
      count: 1)
  }

  func backfill(
    _ id: ScheduleID, _ backfill: OperatorAction.Backfill, _ scheduler: Scheduler
  ) async throws -> ActionResult {
    let times = try await scheduler.backfill(
      id, backfill.range, isDryRun: backfill.isDryRun)
    let occurrences = counted(times.count, "occurrence")
    return ActionResult(
      text: backfill.isDryRun
        ? "\(occurrences) of \(id) would be fired." : "\(occurrences) of \(id) fired.",
      count: times.count, occurrences: times)
  }

  // MARK: Dry run

  func dryRun(_ job: String, _ key: String?) async throws -> ActionResult {
    guard let known = subject.jobs.first(where: { $0.definition.isNamed(job) }) else {
      throw subject.jobs.isEmpty ? Complaint.noCode(job) : Complaint.noJob(job)
    }
    let runner = InlineRunner(
      known, on: subject.dryRuns, schema: subject.schema, logger: logger)
    if let removals = try await runner.removals(key: key) { return removing(job, removals) }
    let schedules = try await runner.activeSchedules
    let shared = schedules.compactMap(\.sharedKey)
    guard key != nil || schedules.count <= 1 else {
      throw Complaint(
        .usage, what: "\(job) has several schedules.", place: job,
        next: "Nothing was changed. Select the run by its key: \(shared.first ?? "of one").")
    }
    let outcome = try await runner.dryRun(key: key ?? shared.first) { transaction, keys in
      try await known.shows?(transaction, keys)
    }
    guard let outcome else { return ActionResult(text: "\(job): nothing to do.", changes: []) }
    let report = outcome.report.isEmpty ? "" : "; \(outcome.report)"
    return ActionResult(
      text: "\(job): \(counted(outcome.keys.count, "run"))\(report); nothing was changed.",
      count: outcome.keys.count,
      changes: outcome.changes.map {
        .init(table: $0.table, inserted: $0.inserted, updated: $0.updated, deleted: $0.deleted)
      },
      report: try JSONDecoder().decode([String: Int].self, from: Data(outcome.report.json.utf8)),
      before: outcome.before ?? nil, after: outcome.after ?? nil)
  }

  private func removing(_ job: String, _ removals: [Removal]) -> ActionResult {
    let rows = removals.reduce(0) { $0 + $1.rows }
    return ActionResult(
      text: "\(job) would remove \(counted(rows, "row")); nothing was changed.", count: rows,
      changes: removals.map {
        .init(table: $0.table, inserted: 0, updated: 0, deleted: Int64($0.rows))
      })
  }
}

extension Complaint {
  fileprivate static func noCode(_ job: String) -> Complaint {
    Complaint(
      .usage, what: "This program does not contain the code of \(job), which a dry run needs.",
      place: job,
      next: "Nothing was changed. Use a worker or `serve` of the program that contains the job."
    )
  }

  static func noJob(_ job: String) -> Complaint {
    Complaint(
      .noInput, what: "There is no job '\(job)'.", place: "the job",
      next: "Nothing was changed. Check the name in the list of jobs.")
  }
}
