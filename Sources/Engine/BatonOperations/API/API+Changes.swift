import Baton
import BatonJobs
import JobRunner

extension API {
  static let changes =
    [
      change("/api/runs/{id}/retry", "Retries a dead run, with its payload or another.", [.payload])
      {
        call in
        call.optional(.payload).map { .retryEdited(call.id, payload: $0) } ?? .retry(call.id)
      },
      change("/api/runs/{id}/cancel", "Cancels a waiting, running or dead run.") { .cancel($0.id) },
      change("/api/runs/{id}/discard", "Deletes a dead run.") { .discard($0.id) },
      change(
        "/api/runs/{id}/payload",
        "Returns the payloads of a run; the audit log records the request."
      ) {
        .payload($0.id)
      },
      change(
        "/api/dead/retry", "Retries dead runs of a job, oldest first.",
        [.job, .group, .limit], required: [.job]
      ) { .retryDead($0.selection) },
      change(
        "/api/dead/discard", "Deletes dead runs of a job, oldest first.",
        [.job, .group, .limit], required: [.job]
      ) { .discardDead($0.selection) },
      change("/api/jobs/{job}/run", "Enqueues a run that is due now.", [.key]) {
        .run(job: $0.text(.job), key: $0.optional(.key))
      },
      change(
        "/api/jobs/{job}/dry-run", "Executes the job, returns its changes, and rolls them back.",
        [.key]
      ) { .dryRun(job: $0.text(.job), key: $0.optional(.key)) },
      change("/api/jobs/{job}/pause", "Pauses a job, so that workers claim none of its runs.") {
        .pauseJob($0.text(.job))
      },
      change("/api/jobs/{job}/resume", "Resumes a job, so that workers claim its runs again.") {
        .resumeJob($0.text(.job))
      },
    ] + schedule("/api/schedules/{job}") + schedule("/api/schedules/{job}/{name}")

  private static func schedule(_ path: String) -> [APIRoute] {
    [
      change("\(path)/pause", "Pauses a schedule, so that its occurrences are skipped.") {
        .pauseSchedule($0.schedule)
      },
      change("\(path)/resume", "Resumes a schedule, so that it fires again.") {
        .resumeSchedule($0.schedule)
      },
      change(
        "\(path)/backfill",
        "Fires the occurrences of a range that have not fired, or only lists them with dryRun.",
        [.from, .to, .dryRun], required: [.from, .to]
      ) { .backfill($0.schedule, $0.backfill) },
    ]
  }

  private static func change(
    _ path: String, _ summary: String, _ fields: [APIField] = [], required: Set<APIField> = [],
    _ action: @escaping @Sendable (APICall) -> OperatorAction
  ) -> APIRoute {
    APIRoute(
      method: "POST", path: path, summary: summary, fields: fields, required: required,
      response: ActionResult.self
    ) { api, call in
      guard let actions = api.actions else { throw Complaint.readOnly }
      return JSON.text(try await actions.perform(action(call), by: call.person).get())
    }
  }
}

extension APICall {
  fileprivate var selection: DeadSelection {
    DeadSelection(
      RunSelection(job: text(.job)), group: optional(.group),
      limit: optional(.limit).flatMap { Int($0) } ?? DeadSelection.most)
  }

  fileprivate var schedule: ScheduleID { ScheduleID(job: text(.job), name: optional(.name)) }

  /// The requested backfill.
  ///
  /// The range of the backfill is empty if the requested end is before the requested start.
  fileprivate var backfill: OperatorAction.Backfill {
    let from = Instant.seconds(text(.from)) ?? 0
    return OperatorAction.Backfill(
      range: from..<max(from, Instant.seconds(text(.to)) ?? 0),
      isDryRun: optional(.dryRun) == "true")
  }
}

extension Complaint {
  /// The error for an action on a read-only server.
  static let readOnly = Complaint(
    .notAllowed, what: "This server is read-only, so actions are refused.", place: "the action",
    next: "Use a server without --http-read-only, or the command line.")
}
