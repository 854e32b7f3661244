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
    case let error as PostgresError: self.init(error, database: database)
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

  private init(_ error: PostgresError, database: Database?) {
    let address = error.place ?? database?.description ?? "the database"
    // In a shell, the pattern `sql/*/NAME.sql` matches the file that contains the statement. The
    // pattern is needed because a statement's name does not contain the schema module.
    let place = error.statement.map { "\(address), sql/*/\($0).sql" } ?? address
    let (status, next) = Self.end(of: error, database)
    // An error with a place already has that place in its description, so only its message is used.
    let what = error.place == nil ? error.description : "\(error.message)."
    self.init(status, what: what, place: place, next: next)
  }

  /// Returns the exit code and the next step for an error of the server or of libpq.
  ///
  /// ``ServerFailure`` determines the exit code, except for a few errors about user input.
  private static func end(
    of error: PostgresError, _ database: Database?
  ) -> (ExitStatus, String) {
    if let own = ofInput(error) { return own }
    // The server exists, and either ended this connection or is restarting.
    if error.sqlState.isTermination {
      return (.tryAgain, "The server ended the connection. Run the command again in a moment.")
    }
    let status = error.sqlState.failure.exitStatus
    let setting = database?.settings ?? (address: "DATABASE_URL", password: "BATON_PASSWORD_FILE")
    switch error.sqlState.failure {
    case .refusedLogin where error.sqlState == .invalidPassword:
      return (
        status,
        error.hint ?? "Check the user in \(setting.address), and the password there or in "
          + "\(database?.password?.path ?? "\(setting.password), PGPASSWORD or ~/.pgpass")."
      )
    case .refusedLogin:
      return (
        status, "Check the user and the database's name, and what pg_hba.conf allows."
      )
    case .notAllowed:
      return (
        status,
        "Log in as the schema's owner or, if the schema has roles, as the role "
          + "..._\(database?.neededRole ?? "operator") or one of its members."
      )
    case .unsupported:
      return (status, "Point \(setting.address) at a PostgreSQL of version 15 or newer.")
    case .publication:
      return (
        status,
        "If the error names a publication, run `\(Program.name) check`, which prints the fix. "
          + "Otherwise correct the statement."
      )
    case .schema: return (status, "Run \(Program.migrate) against this database.")
    case .unproven where error.message.contains("channel binding"):
      return (
        status,
        "Through a pooler, or if the login does not use a SCRAM password: channel_binding=prefer."
      )
    case .unproven:
      return (status, "Check sslmode and sslrootcert: the server must prove its identity.")
    case .readOnly:
      return (
        status,
        "The server only reads now. Run the command again after the failover, or point "
          + "\(setting.address) at the primary server."
      )
    case .unreachable where error.sqlState == .connectionFailure:
      return (
        status,
        "Start the server, or check \(setting.address). If the server is running, raise "
          + "idle_in_transaction_session_timeout and idle_session_timeout of the role."
      )
    case .unreachable:
      return (
        status,
        "Start the server, or check \(setting.address); "
          + "`\(Program.name) db up` starts a private one."
      )
    case .busy where error.sqlState == "53400":
      return (status, "Raise the setting that the error names, then run the command again.")
    case .busy where error.sqlState == .queryCanceled:
      return (
        status,
        "Run the command again in a moment. If the error remains, raise statement_timeout of the "
          + "role or the database."
      )
    case .busy where error.sqlState == "55000":
      return (status, error.hint ?? "Run the command again in a moment.")
    case .busy: return (status, "Run the command again in a moment.")
    case .option, .value, .internalError, .fault:
      return (status, error.hint ?? "Nothing was changed. Report the error with this output.")
    }
  }

  /// Returns the exit code and the next step for an error that a user's input caused or that one of
  /// Baton's SQL functions raised.
  ///
  /// For any other error, the result is nil.
  static func ofInput(_ error: PostgresError) -> (ExitStatus, String)? {
    switch error.sqlState {
    case let state where state.failure == .option && error.statement == nil:
      (
        .usage,
        "Write postgresql://user:password@host:port/database, % as %25, @ as %40, / as %2F; "
          + "or correct PGSERVICE and similar variables."
      )
    case let state where state.failure == .value && error.isOfPayload:
      (.usage, "Nothing was done. Give a JSON value that PostgreSQL can store.")
    case "22023" where error.statement == "schedules/find":
      // The server does not know the schedule's time zone.
      (.configuration, error.hint ?? "Correct the schedule.")
    case "22007", "22008": (.data, "Give the date as YYYY-MM-DD.")
    case let state:
      state.ownExitStatus.map { ($0, error.hint ?? "Nothing was written. Send valid values.") }
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

  private init(_ problem: SchemaProblem) {
    switch problem {
    case .missing(let schema):
      self.init(
        .configuration, what: "This database contains no Baton schema yet.",
        place: "schema \(schema)", next: "Run \(Program.migrate).")
    case .encoding(let schema, let encoding):
      self.init(
        .configuration,
        what:
          "The database has the encoding \(encoding), which lacks characters of keys and texts.",
        place: "schema \(schema)",
        next: "Nothing was changed. Create a database: create database NAME encoding 'UTF8' "
          + "template template0.")
    case .shadowed(let schema, let objects, let fixes):
      self.init(
        .configuration,
        what: "PostgreSQL could use \(objects.joined(separator: ", ")) instead of its own.",
        place: "schema \(schema)",
        next: "Nothing was changed. Find out which role created this. As the owner, run: "
          + fixes.joined(separator: "; ") + ".")
    case .refusesWrites(let schema, let publications, let fixes):
      self.init(
        .configuration,
        what: "PostgreSQL refuses writes because of \(publications.joined(separator: ", ")).",
        place: "schema \(schema)",
        next: "Nothing was changed. As the owner of the publication or the table, run: "
          + fixes.joined(separator: "; ") + ".")
    case .firesNoTriggers(let schema):
      self.init(
        .configuration,
        what: "No trigger fires for this login, because session_replication_role is replica.",
        place: "schema \(schema)",
        next: "Nothing was changed. Remove the setting: alter role NAME reset "
          + "session_replication_role, or the same of the database.")
    case .readsNoViews(let schema):
      self.init(
        .configuration,
        what: "This login cannot read views, because of restrict_nonsystem_relation_kind.",
        place: "schema \(schema)",
        next: "Nothing was changed. Remove the setting: alter role NAME reset "
          + "restrict_nonsystem_relation_kind, or the same of the database.")
    case .older(let schema):
      self.init(
        .configuration, what: "The schema is older than this binary.",
        place: "schema \(schema)", next: "Run \(Program.migrate).")
    case .newer(let schema, let unknown, let needed):
      self.init(
        .configuration,
        what: "The schema is newer than this binary: it does not know migration \(unknown)"
          + (needed.map { ", which needs \($0)." } ?? "."),
        place: "schema \(schema)",
        next: "Install \(needed.map { "\($0) or a" } ?? "the") newer \(Program.name); "
          + "nothing was changed.")
    case .notCurrent(let schema, let own, let current):
      self.init(
        .configuration,
        what: "The schema lacks changes of \(own), because release \(current) is current.",
        place: "schema \(schema)",
        next: "Nothing was changed. Deploy a release above \(max(own.number, current)), or run "
          + "`\(Program.name) migrate --take-over`.")
    case .edited(let schema, let name):
      self.init(
        .configuration, what: "Migration \(name) was changed after it had been applied.",
        place: "schema \(schema), \(name.replacing("/", with: "/migrations/")).sql",
        next: "Restore the file as it was and put the change into a new migration.")
    case .beforeParts(let schema):
      self.init(
        .configuration,
        what: "The schema was created before schemas had parts and cannot be upgraded.",
        place: "schema \(schema)",
        next: "Nothing was changed. Use another schema name, or drop this schema, and migrate.")
    case .taken(let schema, let object):
      self.init(
        .configuration, what: "Two parts of the schema contain a \(object).",
        place: "schema \(schema)", next: "Give one of them another name; nothing was changed.")
    case .needsDirectConnection(let schema, let name):
      self.init(
        .configuration,
        what: "Migration \(name) cannot be in a transaction, nor sent through a pooler.",
        place: "schema \(schema)", next: "Migrate over a direct connection to the server.")
    case .locked(let schema, let holder, let limit):
      self.init(
        .tryAgain,
        what: "Another session has the lock of the table migration for more than \(limit).",
        place: "schema \(schema), \(holder)",
        next: "Wait until that session has ended, or end it, and migrate again.")
    case .noFunction(let schema, let part, let name):
      self.init(
        .configuration, what: "An API may call \(name), but no part of the schema contains it.",
        place: "schema \(schema), api.sql of the part \(part)",
        next: "Correct the list; nothing was changed.")
    case .tooLongForAPIRole(let schema):
      self.init(
        .usage, what: "The schema's name is too long for a role \(schema.apiRole).",
        place: "schema \(schema)",
        next: "Nothing was changed. Use a schema whose name has at most 40 bytes.")
    case .mayNotMakeRoles(let schema):
      self.init(
        .notAllowed, what: "This user may not create the role \(schema.apiRole).",
        place: "schema \(schema)",
        next: "Nothing was changed. Ask a login that may run "
          + "`create role \(schema.apiRole) nologin`, and migrate again.")
    case .apiRoleIsOwner(let schema):
      self.init(
        .configuration,
        what: "The role \(schema.apiRole) can do what the owner of the schema can.",
        place: "schema \(schema)",
        next: "Nothing was changed. Revoke its attribute SUPERUSER and its membership in "
          + "the owner, and migrate again.")
    }
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
    }
  }
}

extension PostgresError {
  /// Whether the failed statement was one that takes a payload, a time or a key from a caller.
  package var isOfPayload: Bool {
    ["runs/enqueue", "runs/enqueue_many", "runs/check_payload"].contains(statement)
  }
}
