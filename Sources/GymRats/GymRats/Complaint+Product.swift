import Baton
import BatonJobs
import BatonPostgres
import CheckIns
import Replay

extension Complaint {
  /// Creates the message for an error from GymRats or a check-in file, or returns nil for other
  /// errors.
  init?(ofProduct error: any Error) {
    switch error {
    case let error as ReplayFailure: self.init(error)
    case let error as CheckInFileError:
      self.init(
        error.isMissingFile ? .noInput : .data, what: error.what, place: error.place,
        next: error.next)
    case let error as PostgresError where error.sqlState == "ZB022":
      self.init(
        .noInput, what: error.description, place: "the weeks of the group",
        next: error.hint ?? "`gymrats week status` lists the weeks.")
    default: return nil
    }
  }

  private init(_ failure: ReplayFailure) {
    let wayOut = """
      To continue it, use its original arguments; or replay into a separate schema: \
      BATON_SCHEMA=another gymrats migrate, then the same for replay.
      """
    switch failure {
    case .otherReplay(let schema, let differences):
      self.init(
        .usage,
        what: "This schema belongs to another replay: "
          + differences.joined(separator: ", ") + ".",
        place: "schema \(schema)", next: wayOut)
    case .notEmpty(let schema):
      self.init(
        .usage,
        what: "This schema contains data that no replay wrote; a replay would mix with it.",
        place: "schema \(schema)",
        next:
          "Replay into a separate schema: BATON_SCHEMA=another gymrats migrate, then the same "
          + "for replay.")
    case .clockMoved:
      self.init(
        .tryAgain, what: "Another replay is moving this schema's clock.",
        place: "the development clock",
        next: "Wait until the other replay ends, or stop it, and run the command again.")
    case .notAccepted(let line, let outcome):
      self.init(
        .data, what: "The workout was not accepted: \(outcome).", place: "line \(line) of the file",
        next: "Nothing of this step was recorded. Was the week closed or the user changed?")
    case .dead(let runs):
      self.init(
        .dead, what: "\(counted(runs, "run")) ended dead.",
        place: "table dead_run",
        next: "Read their errors there; a replay continues only in a schema without dead runs.")
    case .cannotExport(let folder, let reason):
      self.init(
        .usage, what: "The export cannot be written: \(reason).", place: "--export \(folder)",
        next: "Name an empty folder for a new replay, or the folder of the continued replay.")
    case .cannotWrite(let folder, let reason):
      self.init(
        .output, what: "The export cannot be written: \(reason)", place: "--export \(folder)",
        next: "Free disk space; the same command then continues the replay.")
    case .nothingToReplay:
      self.init(
        .usage, what: "The range contains no line of the file.", place: "--from and --to",
        next: "Widen the range. It has UTC dates, and excludes --to.")
    case .stopped(let done, let all):
      self.init(
        .tryAgain, what: "The replay was stopped after \(done) of \(counted(all, "line")).",
        place: "the step that is next",
        next: "The same command continues the replay; recorded check-ins are kept.")
    case .badStep(let step):
      self.init(
        .usage, what: "A step of \(step) s does not divide 24 hours.", place: "--step",
        next: "Use a step such as 15m, 1h, 6h or 24h.")
    }
  }
}
