import Baton
import BatonJobs
import JobRunner

extension API {
  static let changes =
    [
      change("/api/runs/{id}/retry", "Lets a dead run be tried again.") { .retry($0.id) },
      change("/api/runs/{id}/cancel", "Cancels a run, whatever it does.") { .cancel($0.id) },
      change("/api/runs/{id}/discard", "Forgets a dead run.") { .discard($0.id) },
      change("/api/runs/{id}/payload", "Tells what a run carries; the audit notes who asked.") {
        .payload($0.id)
      },
      change(
        "/api/dead/retry", "Lets dead runs of a job be tried again, the oldest first.",
        [.job, .group, .limit], required: [.job]
      ) { .retryDead($0.selection) },
      change(
        "/api/dead/discard", "Forgets dead runs of a job, the oldest first.",
        [.job, .group, .limit], required: [.job]
      ) { .discardDead($0.selection) },
      change("/api/jobs/{job}/run", "Asks for a run that is due now.", [.key]) {
        .run(job: $0.text(.job), key: $0.optional(.key))
      },
      change(
        "/api/jobs/{job}/dry-run", "Does the work, says what it changed, and rolls it back.",
        [.key]
      ) { .dryRun(job: $0.text(.job), key: $0.optional(.key)) },
      change("/api/jobs/{job}/pause", "Lets no worker claim its runs.") {
        .pauseJob($0.text(.job))
      },
      change("/api/jobs/{job}/resume", "Lets workers claim its runs again.") {
        .resumeJob($0.text(.job))
      },
    ] + schedule("/api/schedules/{job}") + schedule("/api/schedules/{job}/{name}")

  private static func schedule(_ path: String) -> [APIRoute] {
    [
      change("\(path)/pause", "Lets the occurrences pass.") { .pauseSchedule($0.schedule) },
      change("\(path)/resume", "Lets it fire again.") { .resumeSchedule($0.schedule) },
      change(
        "\(path)/backfill",
        "Fires what of a range has not fired; with dryRun it only says what that is.",
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

  /// The requested backfill, whose range is empty if its end is before its start.
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
    .notAllowed, what: "Nothing is changed from here: this is read-only.", place: "the action",
    next: "Ask where it is not, or on the command line.")
}
