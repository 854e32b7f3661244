import Baton
import BatonJobs
import BatonPostgres
import JobRunner

extension Complaint {
  /// The error if too many actions run at the same time.
  static let crowded = Complaint(
    .tryAgain, what: "Others have something done at this moment.", place: "the actions",
    next: "Nothing was changed. Try again in a few seconds.")

  /// The error if an action took too long.
  static let slow = Complaint(
    .unavailable, what: "The server did not answer in time, and what it did was ended.",
    place: "the action",
    next: "Look at what it was about: where it had ended already, the audit says so.")

  /// Describes why an action or a read failed, for users who may not see the server's internals.
  init(ofAction error: any Error) {
    switch error {
    case let complaint as Complaint: self = complaint
    case let error as PostgresError: self.init(of: error)
    case let error as NotDead: self = .noRun(error.ids.first ?? 0, "dead ")
    case let error as UnreadableRun:
      self.init(
        .usage, what: "\(error.job) cannot read this run: \(error.reason).",
        place: (error.isOfPayload ? "the payload of " : "the key ") + error.key,
        next: "Nothing was done. Give a key of this job.")
    case let problem as NoDryRun:
      self.init(
        .usage,
        what: "\(problem.job) works outside of the database: nothing of it could be rolled back.",
        place: problem.job, next: "Nothing was done. Ask for a run of it.")
    case ScheduleProblem.missing(let id):
      self.init(
        .noInput, what: "There is no schedule \(id).", place: "the schedule",
        next: "Nothing was changed. The list of schedules has those that there are.")
    case ScheduleProblem.tooMany(let limit):
      self.init(
        .usage, what: "The range holds more than \(limit) occurrences.", place: "the range",
        next: "Nothing was fired. Give a shorter range; what has fired is not fired again.")
    case let snooze as Snooze:
      self.init(
        .tryAgain, what: "The job is not to be done yet\(snooze.reason.map { ": \($0)" } ?? "").",
        place: "the work", next: "Nothing was changed. Try again later.")
    case is CancellationError: self = .slow
    default:
      self.init(
        .dead, what: "The work failed: \(error).", place: "the work",
        next: "Nothing was changed. Fix the cause.")
    }
  }

  private init(of error: PostgresError) {
    let (status, next): (ExitStatus, String) =
      switch error.sqlState {
      case "42501":
        (
          .notAllowed,
          "Nothing was changed. The program that serves this page has to log in as the operator's role or a member of it."
        )
      case .queryCanceled, .lockNotAvailable:
        (.tryAgain, "Nothing was changed. Try again in a moment.")
      case "ZB005": (.noInput, error.hint ?? "Nothing was changed.")
      case let state where ["ZB00", "ZB01", "ZB02"].contains(state.code.prefix(4)):
        (.usage, error.hint ?? "Nothing was changed. Send other values.")
      case let state where state.failure == .value && error.isOfPayload:
        (.usage, error.hint ?? "Nothing was changed. Send other values.")
      case .invalidPassword, .invalidAuthorization, "3D000":
        (.unavailable, "The program's log has the reason.")
      case .undefinedTable, .undefinedSchema, "42883":
        (.configuration, "The schema is older than this program: migrate it.")
      case let state where state.isConnectionLoss || state.isAbsence && error.statement == nil:
        (.unavailable, "Nothing was changed, unless the audit says so. Try again in a moment.")
      case let state where state.isTransient:
        (.tryAgain, "Nothing was changed. Try again in a moment.")
      default: (.fault, "Nothing was changed. The program's log has this error.")
      }
    let isInside = status == .unavailable || status == .fault
    self.init(
      status, what: isInside ? Self.outside(error) : "\(error.message).", place: "the database",
      next: next)
  }

  /// Returns the error text without the address that a failed connection names.
  private static func outside(_ error: PostgresError) -> String {
    error.sqlState.isConnectionLoss || error.sqlState.isAbsence && error.statement == nil
      ? "The database cannot be reached." : "The database refused this [\(error.sqlState.code)]."
  }
}
