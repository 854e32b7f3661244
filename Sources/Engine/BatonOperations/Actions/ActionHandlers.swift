import Baton
import BatonJobs
import BatonPostgres
import JobRunner
import Logging
import Synchronization

/// Performs users' actions, each on a separate connection, which is closed after the action.
///
/// No connection that can change data stays open between two actions.
struct ActionHandlers: Sendable {
  let subject: HTTPSubject
  let logger: Logger
  private let underWay = Count()

  /// The maximum number of concurrent actions.
  ///
  /// Additional actions are rejected.
  private static let most = 4
  private let patience: Duration

  /// Creates the handlers.
  ///
  /// - Parameter patience: the time after which an action returns an error and its running
  ///   statement is cancelled.
  init(_ subject: HTTPSubject, patience: Duration = .seconds(8), logger: Logger) {
    self.subject = subject
    self.patience = patience
    self.logger = logger
  }

  private final class Count: Sendable {
    let value = Mutex(0)
  }

  /// Performs an action and returns its result.
  ///
  /// - Parameter person: the user's name for the audit log, or `token` for a program.
  func perform(
    _ action: OperatorAction, by person: String
  ) async -> Result<ActionResult, Complaint> {
    let isLet = underWay.value.withLock { count in
      guard count < Self.most else { return false }
      count += 1
      return true
    }
    guard isLet else { return .failure(.crowded) }
    let work = Task<Result<ActionResult, Complaint>, Never> {
      defer { underWay.value.withLock { $0 -= 1 } }
      return await AuditOrigin.$person.withValue("http:\(person)") {
        do {
          return .success(try await result(of: action))
        } catch {
          let complaint = Complaint(ofAction: error)
          // The response contains only messages that Baton has written. If the error contains a
          // message from PostgreSQL, the log contains the full error.
          let isLogged = error is PostgresError || error is FailedDryRun
          let reason = isLogged ? "\(error)" : complaint.what
          logger.warning("HTTP: \(person) \(action.name): \(reason.shortened(to: 8_192))")
          return .failure(complaint)
        }
      }
    }
    if let result = await work.value(within: patience) { return result }
    work.cancel()
    return .failure(.slow)
  }

  private func result(of action: OperatorAction) async throws -> ActionResult {
    if case .dryRun(let job, let key) = action { return try await dryRun(job, key) }
    let connection = try await Connection.open(subject.actions)
    do {
      let session = Session(connection, in: subject.schema)
      let queue = Queue(session)
      let result = try await namingDeadRuns(queue) {
        try await change(queue, Scheduler(session, jobs: subject.jobs), action)
      }
      await connection.close()
      return result
    } catch {
      await connection.close()
      throw error
    }
  }

  private func change(
    _ queue: Queue, _ scheduler: Scheduler, _ action: OperatorAction
  ) async throws -> ActionResult {
    switch action {
    case .retry(let id): try await retry(id, queue)
    case .retryEdited(let id, let payload): try await retry(id, payload: payload, queue)
    case .cancel(let id): try await cancel(id, queue)
    case .discard(let id): try await discard(id, queue)
    case .payload(let id): try await payload(id, queue)
    case .retryDead(let selection): try await retry(selection, queue)
    case .discardDead(let selection): try await discard(selection, queue)
    case .run(let job, let key): try await ask(job, key, queue)
    case .pauseJob(let job): try await pause(true, job, queue)
    case .resumeJob(let job): try await pause(false, job, queue)
    case .pauseSchedule(let id): try await pause(true, id, scheduler)
    case .resumeSchedule(let id): try await pause(false, id, scheduler)
    case .backfill(let id, let backfill): try await self.backfill(id, backfill, scheduler)
    case .dryRun(let job, let key): try await dryRun(job, key)
    }
  }
}

extension OperatorAction {
  /// The name of the action in two or three words, for a log.
  var name: String {
    switch self {
    case .retry(let id): "retries run \(id)"
    case .retryEdited(let id, _): "retries run \(id) with another payload"
    case .cancel(let id): "cancels run \(id)"
    case .discard(let id): "discards run \(id)"
    case .payload(let id): "asks for the payload of run \(id)"
    case .retryDead(let selection): "retries dead runs of \(selection.selected.job ?? "all jobs")"
    case .discardDead(let selection):
      "discards dead runs of \(selection.selected.job ?? "all jobs")"
    case .run(let job, _): "asks for a run of \(job)"
    case .dryRun(let job, _): "tries \(job)"
    case .pauseJob(let job): "pauses \(job)"
    case .resumeJob(let job): "resumes \(job)"
    case .pauseSchedule(let id): "pauses the schedule of \(id)"
    case .resumeSchedule(let id): "resumes the schedule of \(id)"
    case .backfill(let id, _): "backfills \(id)"
    }
  }
}
