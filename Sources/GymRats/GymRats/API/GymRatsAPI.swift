#if HTTP
  import Baton
  import BatonPostgres
  import Challenges
  import ChallengesPostgres
  import ProductAPI

  /// The API that makes GymRats' SQL functions available over HTTP.
  struct GymRatsAPI: APIProduct {
    typealias Format = WireFormat
    typealias Route = APIRoute<GymRatsAPI>

    static let title = "GymRats"
    static let routes: [Route] =
      accountRoutes + sessionRoutes + groupRoutes + inviteRoutes + boardRoutes + ownRoutes
      + streamRoutes + pushRoutes + safetyRoutes
    static let providers = AuthProvider.allCases.map(\.rawValue) + [TokenIssuer.users]

    let logins: APILogins
    /// The database connections, whose login may act on behalf of any user.
    let database: ChallengesDatabase
    let accounts: PostgresAccounts
    /// The access tokens of sessions, or nil if the server does not issue tokens.
    let sessions: SessionTokens?
    /// The sessions in the database.
    let devices: PostgresSessions
    private let signInDatabase: ChallengesDatabase
    /// The database connections of the login that reads streams on behalf of all users.
    var streams: ChallengesDatabase { signInDatabase }

    init(_ database: Database, _ settings: APISettings) {
      logins = APILogins(database, settings)
      self.database = ChallengesDatabase(logins.calls)
      signInDatabase = ChallengesDatabase(logins.signIn)
      accounts = PostgresAccounts(signInDatabase)
      sessions = settings.sessions
      devices = PostgresSessions(signInDatabase)
    }

    /// The tokens that the API accepts, from identity providers or from one issuer whose subjects
    /// are user ids.
    var tokens: APITokens {
      .ofProviders { [accounts] identity in
        guard !identity.isUser else { return identity.key.subject }
        return try await accounts.find(identity.key.provider, subject: identity.key.subject)
      }
    }

    func probeSignIn() async throws { try await signInDatabase.checkFindsUsers() }

    func refusal(for error: any Error, at place: String) -> APIRefusal? {
      switch error {
      case let error as DomainError: APIRefusal(error, at: place)
      case let error as PostgresError where error.sqlState.code == "ZB003":
        APIRefusal(.invalidInput, sqlState: "ZB003", at: place)
      // A user may change the time zone only once a day.
      case let error as PostgresError where error.sqlState.code == "ZB004":
        APIRefusal(.limitReached, sqlState: "ZB004", at: place)
      default: nil
      }
    }

    /// Returns the caller's repositories.
    func repositories(_ call: APICall) -> ActorRepositories {
      database.repositories(for: call.user)
    }

    /// Returns a value with the caller's operations that the repositories do not contain.
    func member(_ call: APICall) -> PostgresMember { PostgresMember(database, user: call.user) }
  }

  extension APIRefusal {
    init(_ error: DomainError, sqlState: String? = nil, at place: String) {
      var fields: [String: String] = [:]
      if case .alreadyInGroup(let groupId?) = error { fields["groupId"] = groupId }
      self.init(
        refused: error.code, error.status, sqlState: sqlState ?? error.sqlState, fields: fields,
        retryAfter: error.isRetryable ? 1 : nil, at: place)
    }
  }

  extension APIReply {
    /// Returns a response with a GymRats entity.
    static func entity(_ value: some Encodable, version: String? = nil) throws -> APIReply {
      try .entity(value, as: WireFormat.self, version: version)
    }
  }
#endif
