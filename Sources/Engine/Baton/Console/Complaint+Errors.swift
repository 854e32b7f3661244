import BatonJobs
import BatonPostgres
import Bench
import JobRunner
import PrivateServer

extension Complaint {
  /// Describes any error that a command can encounter.
  package init(_ error: any Error, database: Database?) {
    if let own = Program.application.complaint(about: error) {
      self = own
      return
    }
    switch error {
    case let error as Complaint: self = error
    case let error as PostgresError: self.init(error, at: database)
    case let error as SchemaProblem: self.init(error)
    case let problem as AccessProblem: self.init(problem)
    case let error as BenchRefusal: self.init(error)
    case let problem as ScheduleProblem: self.init(problem)
    case let problem as ClockProblem: self.init(problem)
    case let error as UnfitTable:
      self.init(
        .configuration,
        what: "\(error.description.prefix(1).uppercased())\(error.description.dropFirst()).",
        place: "job \(error.job), table \(error.table)",
        next:
          "No trigger was changed. Correct the job's declaration or the table, and migrate again.")
    case let error as UnfitCondition:
      self.init(
        .configuration,
        what: "\(error.description.prefix(1).uppercased())\(error.description.dropFirst()).",
        place: "job \(error.job), table \(error.table), when: \(error.condition)",
        next:
          "No trigger was changed. Write one boolean expression over the columns of a row, with "
          + "immutable functions and without subqueries, and migrate again.")
    case let error as TakenName: self.init(error)
    case let error as RetiredJob:
      self.init(
        .usage, what: "The job '\(error.job)' is retired, so it gets no new runs.",
        place: "job \(error.job)",
        next: "Nothing was done. `\(Program.name) jobs retire \(error.job) --undo` makes it "
          + "available again.")
    case let error as UnreadableRun:
      self.init(
        .usage, what: "\(error.job) cannot read this run: \(error.reason).",
        place: (error.isOfPayload ? "the payload of " : "--key ") + error.key,
        next: "Nothing was done. Give a key and a payload that the job can decode.")
    case let problem as NoDryRun:
      self.init(
        .usage, what: "\(problem.job) is an effect, which cannot be rolled back.",
        place: "the dry run of \(problem.job)",
        next: "Nothing was done. Run the job without a dry run.")
    case let failed as FailedDryRun:
      self.init(
        .dead, what: "The run failed and was rolled back: \(failed)", place: failed.job,
        next: "Nothing was changed. Fix the cause, and run the command again.")
    case let loss as LostExecutors:
      self.init(
        .fault, what: "\(loss).", place: "the worker",
        next:
          "Restart the worker. In the job's code, let `perform` end when its task is cancelled.")
    case let attempts as AbandonedAttempts:
      self.init(
        .fault, what: "\(attempts).", place: "the worker",
        next: "End the process. In the jobs' code, let `run` end when its task is cancelled.")
    case let snooze as Snooze:
      self.init(
        .tryAgain, what: "The job was snoozed\(snooze.reason.map { ": \($0)" } ?? "").",
        place: "the work", next: "Nothing was changed. Run the command again in a moment.")
    case let error as Permanent:
      self.init(
        .dead, what: "The run failed: \(error).", place: "the work",
        next: "Nothing was changed. Fix the cause; another attempt would also fail.")
    case let error as PrivateServerError:
      self.init(.unavailable, what: error.what, place: error.where, next: error.next)
    default:
      self.init(
        .fault, what: "\(error)", place: "a part that did not expect it",
        next: "Report the error with this output. The command can be run again.")
    }
  }

  private init(_ taken: TakenName) {
    self.init(
      .configuration,
      what: taken.isLaterName
        ? "The job '\(taken.name)' is stored as '\(taken.other)'."
        : "The name '\(taken.name)' of the job '\(taken.job)' belongs to the job '\(taken.other)'.",
      place: "the definition of the job",
      next: taken.isLaterName
        ? "Nothing was stored. Begin the list `formerly` of the job with \"\(taken.other)\"."
        : "Nothing was stored. Choose a name that no job of the schema has or had.")
  }

  private init(_ problem: ClockProblem) {
    let own = "BATON_SCHEMA=\(Program.defaultSchema)_dev \(Program.name) dev"
    switch problem {
    case .isProduction(let schema):
      self.init(
        .usage, what: "This is not a development schema: its clock is the server's.",
        place: "schema \(schema)",
        next: "`\(Program.name) dev` creates one from an unused schema.")
    case .stands(let schema):
      self.init(
        .usage, what: "This schema's clock is frozen, and belongs to a replay or a test.",
        place: "schema \(schema)", next: "Use a separate development schema: \(own).")
    case .inUse(let schema):
      self.init(
        .usage, what: "This schema is already used with the server's clock; nothing was changed.",
        place: "schema \(schema)",
        next: "Use a separate development schema: \(own). "
          + "A worker for this one is \(Program.worker).")
    case .back(let now):
      self.init(
        .usage, what: "The clock never moves back, and the given time is not later.", place: "MOVE",
        next:
          "The clock is at \(Schedule.text(of: now.microseconds / 1_000_000)). Give a later time, "
          + "or a span: +7d.")
    case .tooFar(let now):
      self.init(
        .usage, what: "The clock cannot be set beyond the year 9999.", place: "MOVE",
        next: "It says \(Schedule.text(of: now.microseconds / 1_000_000)). Give an earlier instant."
      )
    }
  }

  private init(_ problem: ScheduleProblem) {
    switch problem {
    case .missing(let id):
      self.init(
        .usage,
        what: id.name.map { "The job '\(id.job)' has no schedule '\($0)'." }
          ?? "The job '\(id.job)' has no schedule without a name.", place: "SCHEDULE",
        next: "`\(Program.name) schedule` lists the schedules.")
    case .tooMany(let limit):
      self.init(
        .usage, what: "The range contains more than \(limit) occurrences.",
        place: "--from and --to",
        next: "Nothing was fired. Give a shorter range. An occurrence never fires twice.")
    case .neverFires(let id):
      self.init(
        .usage, what: "The schedule \(id) has no occurrence up to its end.", place: "--until",
        next: "Nothing was changed. Give a later --until, or leave it out.")
    }
  }
}
