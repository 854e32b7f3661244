import BatonPostgres

extension Complaint {
  /// Describes an error from the server, from libpq, or from one of Baton's SQL functions.
  init(_ error: PostgresError, at database: Database?) {
    let address = error.place ?? database?.description ?? "the database"
    // In a shell, the pattern `sql/*/NAME.sql` matches the failed statement's file. The `*` matches
    // the folder of any schema module.
    let place = error.statement.map { "\(address), sql/*/\($0).sql" } ?? address
    let (status, next) = Self.end(of: error, database)
    // If the error has a place, `error.description` would repeat the place.
    let what = error.place == nil ? error.description : "\(error.message)."
    self.init(status, what: what, place: place, next: next)
  }

  /// Returns the exit code and the next step for an error from the server or from libpq.
  ///
  /// Except for a few errors about user input, ``ServerFailure`` determines the exit code.
  private static func end(
    of error: PostgresError, _ database: Database?
  ) -> (ExitStatus, String) {
    if let own = ofInput(error) { return own }
    if error.sqlState == .idleSessionTimeout {
      return (
        .tryAgain,
        "The server ended the idle connection. Run the command again; if the error remains, raise "
          + "idle_session_timeout of the role."
      )
    }
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
    case .busy: return (status, error.hint ?? "Run the command again in a moment.")
    case .option, .value, .internalError, .fault:
      return (status, error.hint ?? "Nothing was changed. Report the error with this output.")
    }
  }

  /// Returns the exit code and the next step for an error in a user's input or from one of Baton's
  /// SQL functions.
  ///
  /// The result is nil if neither a user's input nor one of Baton's SQL functions caused the error.
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
}

extension PostgresError {
  /// Whether the failed statement takes a payload, a time or a key from a caller.
  package var isOfPayload: Bool {
    ["runs/enqueue", "runs/enqueue_many", "runs/check_payload"].contains(statement)
  }
}
