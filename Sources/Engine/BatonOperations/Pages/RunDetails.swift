import BatonPostgres
import JobRunner

/// The content of a run's page: the possible actions, the details, the last error and the timeline.
struct RunDetails {
  let life: RunLife
  let request: PageRequest

  @MarkupBuilder var markup: Markup {
    request.actions(of: life)
    section("Details") { facts(what) }
    if let error = life.error {
      section("Last error") { tag("pre", [:], error) }
    }
    section("Timeline") { tag("ol", ["class": "life"]) { steps.map(\.markup) } }
  }

  private var what: [(String, Markup?)] {
    [
      ("State", badge(life.state, tone)), ("Job", link(life.job, to: Link("jobs", life.job))),
      ("Key", RunTable.key(life.key)), ("Attempts", life.attempt.map { Markup("\($0)") }),
      ("Progress", life.checkpoint.flatMap(progress)),
      ("Stored steps", life.checkpoint?.steps.map { Markup($0.joined(separator: ", ")) }),
      ("Last stored step", life.checkpoint.map { instant($0.savedAt) }),
      ("Priority (1 is first)", life.priority.map { Markup("\($0)") }),
      ("Worker", life.worker.map { Markup($0) }), ("Due", life.due.map { instant($0) }),
      ("Not before (development clock)", life.runAt.map { instant($0) }),
      ("Backoff until", life.backoffUntil.map { instant($0) }),
      ("Cancel requested", life.cancelRequestedAt.map { instant($0) }),
      (
        "Earlier ids",
        life.earlierIds.isEmpty
          ? nil : Markup(life.earlierIds.map(String.init).joined(separator: ", "))
      ),
      ("Payload", Markup(life.hasPayload ? "present, not shown" : "none")),
    ]
  }

  /// The progress as a bar and as text, or nil if the job does not report progress.
  private func progress(_ checkpoint: RunLife.Checkpoint) -> Markup? {
    guard let done = checkpoint.done, let total = checkpoint.total else { return nil }
    let text = Markup("\(done) of \(total)")
    guard total > 0 else { return text }
    return tag("span") {
      tag("progress", ["value": "\(min(done, total))", "max": "\(total)"])
      " "
      text
    }
  }

  private var tone: Tone {
    switch life.state {
    case "dead": .critical
    case "cancelled": .warning
    case "done": .good
    default: .plain
    }
  }

  // MARK: Timeline

  private struct Step {
    let at: Timestamp
    let markup: Markup

    init(_ at: Timestamp, @MarkupBuilder _ what: () -> Markup) {
      self.at = at
      let what = what()
      markup = tag("li") {
        instant(at)
        " "
        what
      }
    }
  }

  private var steps: [Step] {
    let marks: [(Timestamp?, String)] = [
      (life.madeAt, "The run was enqueued."),
      (life.lastEventAt, "The last event that was merged into the run."),
      (life.diedAt, "The run died."), (life.endedAt, "The run ended."),
    ]
    let all =
      marks.compactMap { at, text in at.map { at in Step(at) { Markup(text) } } }
      + life.attempts.map(attempt)
      + life.actions.map { action in
        Step(action.at) {
          tag("strong", [:], action.action)
          " by \(action.by)"
        }
      }
    return all.enumerated()
      .sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(\.element)
  }

  private func attempt(_ attempt: RunLife.Attempt) -> Step {
    Step(attempt.endedAt) {
      badge(attempt.outcome, attempt.outcome == "done" ? .good : .warning)
      " attempt \(attempt.attempt)"
      attempt.worker.map { Markup(" by \($0)") }
      attempt.beganAt.map { began in
        Markup(
          ", took "
            + (Double(attempt.endedAt.microseconds - began.microseconds) / 1_000_000).shortDuration)
      }
      attempt.report.map { report in
        Markup(
          ": "
            + report.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
            .joined(separator: ", "))
      }
      attempt.error.map { tag("pre", [:], $0) }
    }
  }
}
