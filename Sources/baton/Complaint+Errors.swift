import Bench
import JobCore
import JobRunner
import Postgres
import PrivateServer
import Replay

extension Complaint {
  /// The complaint about any error that a command can meet.
  init(_ error: any Error, database: Database?) {
    switch error {
    case let error as Complaint: self = error
    case let error as PostgresError: self.init(error, database: database)
    case let error as SchemaProblem: self.init(error)
    case let error as BenchRefusal: self.init(error)
    case let error as ReplayFailure: self.init(error)
    case let problem as ScheduleProblem: self.init(problem)
    case let error as UnreadableRun:
      self.init(
        .usage, what: "\(error.job) cannot read this run: \(error.reason).",
        place: "--key \(error.key)",
        next: "Nothing was done. Give a key of this job, and the payload that it asks for.")
    case let snooze as Snooze:
      self.init(
        .tryAgain, what: "The job is not to be done yet\(snooze.reason.map { ": \($0)" } ?? "").",
        place: "the work", next: "Nothing was changed. Run the command again in a moment.")
    case let error as Permanent:
      self.init(
        .dead, what: "The work failed: \(error).", place: "the work",
        next: "Nothing was changed. Mend the cause; no other attempt would get further.")
    case let error as CheckInFileError:
      self.init(
        error.isMissingFile ? .noInput : .data, what: error.what, place: error.place,
        next: error.next)
    case let error as PrivateServerError:
      self.init(.unavailable, what: error.what, place: error.where, next: error.next)
    default:
      self.init(
        .fault, what: "\(error)", place: "a part of Baton that did not expect it",
        next: "Report it with this output; nothing is half done, so the command can be run again.")
    }
  }

  private init(_ error: PostgresError, database: Database?) {
    let address = database?.description ?? "the database"
    // A statement's name does not say its part; a shell finds the file by this all the same.
    let place = error.statement.map { "\(address), sql/*/\($0).sql" } ?? address
    let (status, next): (ExitStatus, String) =
      switch error.sqlState {
      case .invalidPassword:
        (.notAllowed, "Check user and password in DATABASE_URL, PGPASSWORD or ~/.pgpass.")
      case .invalidAuthorization, "3D000", "42501":
        (.notAllowed, "Check the user and the database's name, and what pg_hba.conf allows.")
      case .featureNotSupported:
        (.configuration, "Point DATABASE_URL at a PostgreSQL of version 15 or newer.")
      case .undefinedTable, .undefinedSchema:
        (.configuration, "Run `baton migrate` against this database.")
      case "22023" where error.statement == nil:
        (
          .usage,
          "Write postgresql://user:password@host:port/database, % as %25 and @ as %40; "
            + "or correct what PGSERVICE and its like say."
        )
      case "22007", "22008": (.data, "Give the date as YYYY-MM-DD.")
      case "ZB022": (.noInput, error.hint ?? "`baton week status` lists the weeks.")
      case let state where ["ZB00", "ZB02"].contains(state.code.prefix(4)):
        (.usage, error.hint ?? "Nothing was written. Send other values.")
      case .connectionRejected:
        (.unavailable, "Check sslmode and sslrootcert: the server has to prove who it is.")
      case let state where state.isConnectionLoss:
        (
          .unavailable,
          "Start the server, or check DATABASE_URL; `baton db up` starts a private one."
        )
      case let state where state.isTransient: (.tryAgain, "Run the command again in a moment.")
      default: (.fault, error.hint ?? "Nothing was changed. Report it with this output.")
      }
    self.init(status, what: error.description, place: place, next: next)
  }

  private init(_ problem: SchemaProblem) {
    switch problem {
    case .missing(let schema):
      self.init(
        .configuration, what: "There is no Baton in this database yet.",
        place: "schema \(schema)", next: "Run `baton migrate`.")
    case .older(let schema):
      self.init(
        .configuration, what: "The schema is older than this binary.",
        place: "schema \(schema)", next: "Run `baton migrate`.")
    case .newer(let schema, let unknown):
      self.init(
        .configuration,
        what: "The schema is newer than this binary: it does not know migration \(unknown).",
        place: "schema \(schema)", next: "Install the newer baton; nothing was changed.")
    case .edited(let schema, let name):
      self.init(
        .configuration, what: "Migration \(name) was changed after it had been applied.",
        place: "schema \(schema), \(name.replacing("/", with: "/migrations/")).sql",
        next: "Restore the file as it was and put the change into a new migration.")
    case .beforeParts(let schema):
      self.init(
        .configuration,
        what: "The schema was made by a baton from before schemas had parts; none is upgraded.",
        place: "schema \(schema)",
        next: "Nothing was changed. Take a schema of another name, or drop this one, and migrate.")
    case .taken(let schema, let object):
      self.init(
        .configuration, what: "Two parts of the schema have a \(object).",
        place: "schema \(schema)", next: "Give one of them another name; nothing was changed.")
    case .needsDirectConnection(let schema, let name):
      self.init(
        .configuration,
        what: "Migration \(name) cannot be in a transaction, nor behind a pooler.",
        place: "schema \(schema)", next: "Migrate over a connection to the server itself.")
    }
  }

  private init(_ problem: ScheduleProblem) {
    switch problem {
    case .missing(let job):
      self.init(
        .usage, what: "The job '\(job)' has no schedule.", place: "JOB",
        next: "`baton schedule` lists the schedules.")
    case .tooMany(let limit):
      self.init(
        .usage, what: "The range holds more than \(limit) occurrences.", place: "--from and --to",
        next: "Nothing was fired. Give a shorter range; what has fired is not fired again.")
    }
  }

  private init(_ failure: ReplayFailure) {
    let wayOut = """
      Run it with the same arguments to continue, or replay into a schema of its own: \
      BATON_SCHEMA=another baton migrate, then the same for replay.
      """
    switch failure {
    case .otherReplay(let schema, let differences):
      self.init(
        .usage,
        what: "This database belongs to another replay: "
          + differences.joined(separator: ", ") + ".",
        place: "schema \(schema)", next: wayOut)
    case .notEmpty(let schema):
      self.init(
        .usage,
        what: "This Baton holds data that no replay wrote; a replay would mix with it.",
        place: "schema \(schema)",
        next: "Replay into a schema of its own: BATON_SCHEMA=another baton migrate, then the same "
          + "for replay.")
    case .clockMoved:
      self.init(
        .tryAgain, what: "Another replay is moving this database's clock.",
        place: "the development clock", next: "Wait for it to end, or stop it, and run it again.")
    case .notAccepted(let line, let outcome):
      self.init(
        .data, what: "The workout was not accepted: \(outcome).", place: "line \(line) of the file",
        next: "Nothing of its step was recorded. Was the week closed or the user changed by hand?")
    case .dead(let runs):
      self.init(
        .dead, what: "\(counted(runs, "run")) ended dead.",
        place: "table dead_run",
        next: "Read their errors there; a replay goes on only in a schema without dead runs.")
    case .cannotExport(let folder, let reason):
      self.init(
        .usage, what: "The export cannot be written: \(reason).", place: "--export \(folder)",
        next: "Name an empty folder for a new replay, or the folder of the one that is continued.")
    case .cannotWrite(let folder, let reason):
      self.init(
        .output, what: "The export cannot be written: \(reason)", place: "--export \(folder)",
        next: "Make room; the same command goes on where it stopped.")
    case .nothingToReplay:
      self.init(
        .usage, what: "The range holds no line of the file.", place: "--from and --to",
        next: "Widen the range; it takes UTC dates, --to not included.")
    case .stopped(let done, let all):
      self.init(
        .tryAgain, what: "The replay was stopped after \(done) of \(counted(all, "line")).",
        place: "the step that is next",
        next: "The same command goes on where it stopped; what is recorded stays.")
    case .badStep(let step):
      self.init(
        .usage, what: "A step of \(step) s does not divide 24 hours.", place: "--step",
        next: "Use a step such as 15m, 1h, 6h or 24h.")
    }
  }
}
