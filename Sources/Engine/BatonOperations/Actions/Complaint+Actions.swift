import Baton
import BatonJobs
import BatonPostgres
import JobRunner

extension Complaint {
  /// The error for too many concurrent actions.
  static let crowded = Complaint(
    .tryAgain, what: "Four other actions are running.", place: "the actions",
    next: "Nothing was changed. Try again in a few seconds.")

  /// The error for an action that took too long.
  static let slow = Complaint(
    .unavailable, what: "The server did not respond in time, and the action was cancelled.",
    place: "the action",
    next:
      "Check the state of the object. If the action had already ended, the audit log contains it.")

  /// Describes why an action or a read failed, for users who are not permitted to see the server's
  /// internals.
  init(ofAction error: any Error) {
    switch error {
    case let complaint as Complaint: self = complaint
    case let error as InvalidField: self = error.complaint
    case let error as PostgresError: self.init(of: error)
    case let failed as FailedDryRun:
      let refusal = (failed.error as? PostgresError).map { Complaint(of: $0).what }
      self.init(
        .dead, what: refusal ?? "The job failed: \(failed).", place: failed.job,
        next: refusal == nil
          ? "Nothing was changed. Fix the cause."
          : "Nothing was changed. Fix the cause, which the program's log contains.")
    case let error as KeyIsTaken: self = .isTaken(error)
    case let error as UnreadableRun:
      self.init(
        .usage, what: "\(error.job) cannot read this run: \(error.reason).",
        place: (error.isOfPayload ? "the payload of " : "the key ") + error.key,
        next: "Nothing was changed. Send a valid key of this job.")
    case let error as RetiredJob:
      self.init(
        .usage, what: "The job \(error.job) is retired, so it gets no new runs.", place: error.job,
        next: "Nothing was changed. The command `jobs retire --undo` makes it available again.")
    case let problem as NoDryRun:
      self.init(
        .usage,
        what: "\(problem.job) acts outside of the database, so its effects cannot be rolled back.",
        place: problem.job, next: "Nothing was changed. Enqueue a run of the job instead.")
    case ScheduleProblem.missing(let id):
      self.init(
        .noInput, what: "There is no schedule \(id).", place: "the schedule",
        next: "Nothing was changed. Check the name in the list of schedules.")
    case ScheduleProblem.tooMany(let limit):
      self.init(
        .usage, what: "The range contains more than \(limit) occurrences.", place: "the range",
        next: "Nothing was fired. Send a shorter range. Fired occurrences do not fire again.")
    case let snooze as Snooze:
      self.init(
        .tryAgain, what: "The job was snoozed\(snooze.reason.map { ": \($0)" } ?? "").",
        place: "the work", next: "Nothing was changed. Try again later.")
    case is CancellationError: self = .slow
    default:
      self.init(
        .dead, what: "The job failed: \(error).", place: "the work",
        next: "Nothing was changed. Fix the cause.")
    }
  }

  /// Describes a database error with one of Baton's messages and the SQLSTATE.
  ///
  /// PostgreSQL's message and hint are written only to the log, because they can contain values,
  /// constraint names and addresses. SQLSTATEs that begin with `Z` come from Baton's SQL functions,
  /// whose messages users may read.
  private init(of error: PostgresError) {
    let (status, next) = Self.outcome(of: error)
    let what =
      if error.isOwn {
        "\(error.message)."
      } else if Self.isUnreachable(error) {
        "The database cannot be reached."
      } else {
        "The database \(Self.verb(of: error)) [\(error.sqlState.code)]."
      }
    self.init(status, what: what, place: "the database", next: next)
  }

  private static func outcome(of error: PostgresError) -> (ExitStatus, String) {
    switch error.sqlState {
    case "42501":
      (
        .notAllowed,
        "Nothing was changed. The server's login must be a member of the operator's role."
      )
    case .queryCanceled, .lockNotAvailable:
      (.tryAgain, "Nothing was changed. Try again in a moment.")
    case "ZB005": (.noInput, error.hint ?? "Nothing was changed.")
    case _ where error.isOwn: (.usage, error.hint ?? "Nothing was changed. Send other values.")
    case let state where state.failure == .value && error.isOfPayload:
      (.usage, "Nothing was changed. Send other values.")
    case .invalidPassword, .invalidAuthorization, "3D000":
      (.unavailable, "See the reason in the program's log.")
    case .undefinedTable, .undefinedSchema, "42883":
      (.configuration, "The schema is older than this program: migrate it.")
    case _ where isUnreachable(error):
      (.unavailable, "Check the audit log, and try again in a moment if nothing was changed.")
    case let state where state.isTransient:
      (.tryAgain, "Nothing was changed. Try again in a moment.")
    default: (.fault, "Nothing was changed. See the error in the program's log.")
    }
  }

  private static func verb(of error: PostgresError) -> String {
    switch error.sqlState {
    case "42501": "refused the statement, because the login lacks a right"
    case let state where state.isRefusedLogin: "refused the login"
    case .queryCanceled, .lockNotAvailable: "cancelled the statement, because it took too long"
    case let state where state.failure == .value && error.isOfPayload:
      "cannot store one of the values"
    default: "refused the statement"
    }
  }

  private static func isUnreachable(_ error: PostgresError) -> Bool {
    error.sqlState.isConnectionLoss || error.sqlState.isAbsence && error.statement == nil
  }
}

extension PostgresError {
  /// Whether one of Baton's SQL functions raised the error.
  fileprivate var isOwn: Bool { sqlState.ownExitStatus != nil }
}
