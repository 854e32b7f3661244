#if HTTP
  import Baton
  import BatonIdentity
  import BatonPostgres
  import Challenges
  import ChallengesPostgres
  import ProductAPI

  /// The API that makes GymRats' SQL functions available over HTTP.
  struct GymRatsAPI: APIProduct {
    typealias Format = WireFormat
    typealias Route = APIRoute<GymRatsAPI>

    static let title = "GymRats"
    static let routes = accountRoutes + groupRoutes + inviteRoutes + boardRoutes + ownRoutes
    static let providers = AuthProvider.allCases.map(\.rawValue)

    /// The database, with the login that may act for any user.
    let database: ChallengesDatabase
    /// The database, with the login that finds and creates users.
    let signInDatabase: ChallengesDatabase
    let accounts: PostgresAccounts
    private let schema: Schema

    /// The maximum duration of a statement.
    ///
    /// A request therefore never waits longer than this for a lock.
    private static let longestStatement = Duration.seconds(5)

    init(_ database: Database, _ settings: APISettings) {
      let (key, userRole) = (settings.key, settings.userRole)
      schema = database.schema
      var calls = database.configuration(applicationName: "gymrats api")
      var signIn = settings.signIn.configuration(applicationName: "gymrats api")
      (calls.statementTimeout, signIn.statementTimeout) =
        (Self.longestStatement, Self.longestStatement)
      self.database = ChallengesDatabase(
        calls, schema: database.schema, connections: settings.connections,
        identity: { user in key.identity(of: user, role: userRole) })
      signInDatabase = ChallengesDatabase(signIn, schema: database.schema)
      accounts = PostgresAccounts(signInDatabase)
    }

    func user(of identity: UserIdentity) async throws -> String? {
      guard !identity.isUser else { return identity.key.subject }
      return try await accounts.find(identity.key.provider, subject: identity.key.subject)
    }

    func probeCalls() async throws {
      if let rights = try await database.loginRights(in: schema) { try refuseExcess(of: rights) }
      let user = "probe"
      guard try await database.acceptedActor(of: user) == user else {
        throw Complaint.signatureRefused
      }
    }

    func probeSignIn() async throws {
      if let rights = try await signInDatabase.loginRights(in: schema) {
        try refuseExcess(of: rights)
        guard rights.mayUseSchema else { throw Complaint.mayNotUse(schema, rights.user) }
      }
      try await signInDatabase.checkFindsUsers()
    }

    /// Throws an error for a login that policies and grants would not limit.
    private func refuseExcess(of rights: LoginRights) throws {
      if let excess = rights.excess {
        throw Complaint.excessRight(excess, of: rights.user, in: schema)
      }
    }

    func close() async {
      await database.close()
      await signInDatabase.close()
    }

    func refusal(for error: any Error, at place: String) -> APIRefusal? {
      switch error {
      case let error as DomainError: APIRefusal(error, at: place)
      case let error as PostgresError where error.sqlState.code == "ZB003":
        APIRefusal(.invalidInput, sqlState: "ZB003", at: place)
      // A user can change the time zone once a day.
      case let error as PostgresError where error.sqlState.code == "ZB004":
        APIRefusal(.limitReached, sqlState: "ZB004", at: place)
      default: nil
      }
    }

    /// Returns the repositories of the caller.
    func repositories(_ call: APICall) -> ActorRepositories {
      database.repositories(for: call.user)
    }

    /// Returns the calls that the caller can make, and that no repository contains.
    func member(_ call: APICall) -> PostgresMember { PostgresMember(database, user: call.user) }
  }

  extension APIRefusal {
    init(_ error: DomainError, sqlState: String? = nil, at place: String) {
      var fields: [String: String] = [:]
      if case .alreadyInGroup(let groupId?) = error { fields["groupId"] = groupId }
      self.init(
        error.status, error.code, sqlState: sqlState ?? error.sqlState, fields: fields,
        what: "The call was refused: \(error.code).", place: place,
        next: error.isRetryable
          ? "Repeat the request later."
          : "docs/gymrats/api.md#errors explains the code. Do not repeat the same request.",
        headers: error.isRetryable ? ["retry-after": "1"] : [:])
    }
  }

  extension APIReply {
    /// Returns a response with an entity of GymRats.
    static func entity(_ value: some Encodable, version: String? = nil) throws -> APIReply {
      try .entity(value, as: WireFormat.self, version: version)
    }
  }
#endif
