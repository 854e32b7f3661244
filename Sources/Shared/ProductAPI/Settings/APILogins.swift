#if HTTP
  package import Baton
  import BatonPostgres
  package import ProductPostgres

  /// An API's connections, with one login for users' calls and one for sign-in.
  package struct APILogins: Sendable {
    /// The database connections of the login for users' calls.
    ///
    /// The login may act on behalf of any user.
    package let calls: ActorDatabase
    /// The database connections of the login for sign-in.
    ///
    /// The login finds and creates users. The login also reads streams on behalf of all users.
    package let signIn: ActorDatabase
    private let schema: Schema
    private let log: FailureLog

    /// The maximum duration of a statement.
    ///
    /// The limit includes the time that a statement waits for a lock.
    private static let longestStatement = Duration.seconds(5)

    /// Creates the connections, but does not open them yet.
    ///
    /// Each login has several connections, so that a call that is waiting for a lock does not delay
    /// other users' calls.
    package init(_ database: Database, _ settings: APISettings) {
      let (key, userRole, name) = (settings.key, settings.userRole, "\(Program.name) api")
      var calls = database.configuration(applicationName: name)
      var signIn = settings.signIn.configuration(applicationName: name)
      (calls.statementTimeout, signIn.statementTimeout) =
        (Self.longestStatement, Self.longestStatement)
      let log = FailureLog(settings.logger)
      self.log = log
      self.calls = ActorDatabase(
        calls, schema: database.schema, connections: settings.connections,
        identity: { user in key.identity(of: user, role: userRole) }, failed: { log.record($0) })
      self.signIn = ActorDatabase(
        signIn, schema: database.schema, connections: settings.connections,
        failed: { log.record($0) },
        streamsFailed: { feed, error in log.record(error, ofStreams: feed) })
      schema = database.schema
    }

    /// Checks that the database accepts users' calls.
    ///
    /// Rejects a login that has more privileges than users' calls need.
    ///
    /// - Throws: `PostgresError`, or `Complaint` if the login has too many privileges or an
    ///   identity's signature is rejected.
    func probeCalls() async throws {
      if let rights = try await calls.loginRights(in: schema) { try refuseExcess(of: rights) }
      let user = "probe"
      guard try await calls.acceptedActor(of: user) == user else {
        throw Complaint.signatureRefused
      }
    }

    /// Checks the privileges of the login that finds and creates users.
    ///
    /// - Throws: `PostgresError`, or `Complaint` if the login has too many privileges or may not
    ///   use the schema.
    func probeSignIn() async throws {
      guard let rights = try await signIn.loginRights(in: schema) else { return }
      try refuseExcess(of: rights)
      guard rights.mayUseSchema else { throw Complaint.mayNotUse(schema, rights.user) }
    }

    /// Throws an error if the login has privileges that bypass policies and grants.
    private func refuseExcess(of rights: LoginRights) throws {
      if let excess = rights.excess {
        throw Complaint.excessRight(excess, of: rights.user, in: schema)
      }
    }

    /// The stream tickets.
    var tickets: StreamTickets { StreamTickets(database: signIn) }

    /// Begins logging temporary errors from calls.
    func logFailures() { log.begin() }

    /// Closes all connections.
    func close() async {
      await calls.close()
      await signIn.close()
    }
  }
#endif
