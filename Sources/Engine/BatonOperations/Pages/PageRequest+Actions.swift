import JobRunner

/// The actions that a page offers.
///
/// The actions are hidden if the client may only read.
extension PageRequest {
  private func offers(_ forms: [ActionForm]) -> Markup {
    guard mayAct, !forms.isEmpty else { return Markup() }
    return tag("p", ["class": "actions"]) {
      forms.map { tag("a", ["class": "button", "href": $0.link.text], $0.short) }
    }
  }

  func actions(of job: JobPage) -> Markup {
    let fields = ["job": job.name]
    return offers([
      ActionForm(.run, fields), ActionForm(.dryRun, fields),
      ActionForm(job.pausedSince == nil ? .pause : .resume, fields),
    ])
  }

  func actions(of life: RunLife) -> Markup {
    let fields = ["run": "\(life.id)"]
    let payload = life.hasPayload ? [ActionForm(.payload, fields)] : []
    switch life.state {
    case "dead":
      // On the page that shows the payload of a dead run, a user can retry the run with an edited
      // payload.
      let edit = life.hasPayload ? [] : [ActionForm(.retryEdited, fields)]
      return offers([ActionForm(.retry, fields), ActionForm(.discard, fields)] + payload + edit)
    case "ready", "running", "delayed":
      // With a redacted key, the form would try another run.
      let dryRun =
        RunTable.isRedacted(life.key)
        ? [] : [ActionForm(.dryRun, ["job": life.job, "key": life.key])]
      return offers([ActionForm(.cancel, fields)] + dryRun + payload)
    default: return Markup()
    }
  }

  func actions(of group: DeadGroup) -> Markup {
    let fields = ["job": group.job, "group": group.id]
    return offers([ActionForm(.retryDead, fields), ActionForm(.discardDead, fields)])
  }

  func actions(of schedule: ScheduleRow) -> Markup {
    let fields = ["schedule": schedule.id]
    return offers([
      ActionForm(schedule.pausedSince == nil ? .pauseSchedule : .resumeSchedule, fields),
      ActionForm(.backfill, fields),
    ])
  }
}

extension ActionForm {
  /// The text of the link to the action.
  fileprivate var short: String {
    switch kind {
    case .backfill: "Backfill"
    case .retryEdited: "Retry with another payload"
    default: button
    }
  }
}
