import Baton
import BatonJobs
import BatonPostgres
import JobRunner

/// The actions on runs.
///
/// Each action writes the same audit rows as the `runs` command.
extension ActionHandlers {
  func retry(_ id: Int64, _ queue: Queue) async throws -> ActionResult {
    let run = try await queue.retry(ids: [id])[0]
    let text =
      run.id == id
      ? "Run \(id) is ready again."
      : "Run \(id) was merged into run \(run.id), which has the same key."
    return ActionResult(text: text, count: run.dead, run: run.id)
  }

  /// Retries a dead run with a different payload.
  ///
  /// A payload that the job cannot decode is rejected, because each attempt would fail.
  func retry(_ id: Int64, payload: String, _ queue: Queue) async throws -> ActionResult {
    let dead = try await queue.deadRuns(ids: [id])[0]
    if let known = subject.jobs.first(where: { $0.definition.isNamed(dead.job) }) {
      try await queue.check(known, key: dead.key, payload: payload)
    }
    let run = try await queue.retry(id, payload: payload)
    return ActionResult(
      text: "Run \(id) is ready again as run \(run.id), with the new payload.", count: run.dead,
      run: run.id)
  }

  /// Runs `body`, and throws a `Complaint` with the run's state if a run is not dead.
  func namingDeadRuns<R>(_ queue: Queue, _ body: () async throws -> R) async throws -> R {
    do {
      return try await body()
    } catch let error as NotDead {
      let id = error.ids.first ?? 0
      throw Complaint.noRun(id, what: try await queue.reasonNotDead(id))
    }
  }

  func cancel(_ id: Int64, _ queue: Queue) async throws -> ActionResult {
    switch try await queue.cancel(id) {
    case .cancelled(let run):
      return ActionResult(text: "Run \(run) is cancelled.", count: 1, run: run)
    case .cancelling(let run):
      return ActionResult(
        text: "Run \(run) is running; its worker stops it within two seconds.", count: 1, run: run)
    case .ended(let run, let state):
      throw Complaint(
        .tryAgain, what: "Run \(run) has already ended: \(state).", place: "run \(id)",
        next: "Nothing was changed. The effects of the run remain.")
    case .missing: throw Complaint.noRun(id)
    }
  }

  func discard(_ id: Int64, _ queue: Queue) async throws -> ActionResult {
    try await queue.discard(ids: [id])
    return ActionResult(
      text: "Run \(id) is deleted and will not be executed.", count: 1, run: id)
  }

  func payload(_ id: Int64, _ queue: Queue) async throws -> ActionResult {
    switch try await queue.payloads(of: id) {
    case .carried(let run, let payloads, let count):
      let shown = payloads.count < count ? ", of which \(payloads.count) are shown" : ""
      let text =
        count == 0
        ? "Run \(run) has no payload."
        : "Run \(run) has \(counted(count, "payload"))\(shown). The audit log records the request."
      let isDead = (try? await queue.deadRuns(ids: [run])) != nil
      return ActionResult(text: text, count: count, run: run, payloads: payloads, isDead: isDead)
    case .nothing(let run, let state):
      throw Complaint(
        .tryAgain,
        what: state == "unfolded"
          ? "Run \(run) is enqueued, but not dispatched yet."
          : "Run \(run) has already ended: \(state).",
        place: "run \(id)", next: "Only waiting, running and dead runs have a payload.")
    case .missing: throw Complaint.noRun(id)
    }
  }

  func retry(_ selection: DeadSelection, _ queue: Queue) async throws -> ActionResult {
    let settled = try await queue.retry(selection)
    let (taken, count) = (settled.taken.count, settled.dead.count - settled.taken.count)
    var text = "\(counted(count, "dead run")) became \(counted(settled.ready.count, "ready run"))"
    if taken > 0 {
      text += "; \(counted(taken, "run")) with stored steps not retried, "
      text += "because another run of the key has begun"
    }
    return await result(text, count, of: selection, queue)
  }

  func discard(_ selection: DeadSelection, _ queue: Queue) async throws -> ActionResult {
    let count = try await queue.discard(selection).dead.count
    return await result("\(counted(count, "dead run")) discarded", count, of: selection, queue)
  }

  /// Returns the result of an action that has changed `count` dead runs of a selection.
  ///
  /// The action is already committed. If the count of the remaining runs fails, the result does not
  /// contain this count.
  private func result(
    _ text: String, _ count: Int, of selection: DeadSelection, _ queue: Queue
  ) async -> ActionResult {
    guard let left = try? await queue.countLeft(of: selection) else {
      return ActionResult(text: "\(text).", count: count)
    }
    let rest = left.isEstimate ? "more than \(Count.most)" : "\(left.value)"
    return ActionResult(text: "\(text); \(rest) left.", count: count, left: left.value)
  }

  /// Enqueues a run that is due now.
  ///
  /// A payload that the job cannot decode is rejected, because each attempt would fail. If the key
  /// is missing and the job has one schedule, the run gets the schedule's shared key and payload.
  func ask(_ job: String, _ key: String?, _ queue: Queue) async throws -> ActionResult {
    let known = subject.jobs.first { $0.definition.isNamed(job) }
    var (key, payload) = (key, String?.none)
    if key == nil, let schedule = known?.definition.schedules.first,
      known?.definition.schedules.count == 1, let shared = schedule.sharedKey
    {
      (key, payload) = (shared, schedule.payload)
    }
    if let known, let key { try await queue.check(known, key: key, payload: payload) }
    let now = try await queue.domainTime()
    let run = try await queue.enqueueByHand(
      RunRequest(job: job, key: key, payload: payload, at: now))
    return ActionResult(text: "Run \(run) of \(job) is enqueued.", count: 1, run: run)
  }
}

extension Complaint {
  static func noRun(_ id: Int64, what: String? = nil) -> Complaint {
    Complaint(
      .noInput, what: what ?? "There is no run \(id).", place: "run \(id)",
      next:
        "Nothing was changed. Check the list of runs, because the run may have ended in the meantime."
    )
  }
}
