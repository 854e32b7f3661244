#if HTTP
  import Baton
  import Foundation
  import Presence
  import PresencePostgres
  import ProductAPI
  import ProductKit

  /// The API that makes Who's There's SQL functions available over HTTP.
  struct WhosThereAPI: APIProduct {
    /// The format of requests, in which a time may have any form that ``InstantText`` accepts.
    ///
    /// Responses have the exact form of `WireFormat`.
    enum Format: EntityFormat {
      static let mostBytes = WireFormat.mostBytes
      static func instant(_ text: String) -> Date? { InstantText.date(text) }
    }

    typealias Route = APIRoute<WhosThereAPI>

    static let title = "Who's There"
    static let routes: [Route] =
      accountRoutes + groupRoutes + inviteRoutes + presenceRoutes + chatRoutes + ownRoutes
      + streamRoutes + pushRoutes + safetyRoutes
    static let providers = AuthProvider.allCases.filter { $0 != .anonymous }.map(\.rawValue)

    let logins: APILogins
    /// The database, connected as the login that may act on behalf of any user.
    let database: PresenceDatabase
    let accounts: PresenceAccounts
    /// The database, connected as the login that reads streams on behalf of all users.
    let streams: PresenceDatabase
    /// The verifier for tokens from identity providers.
    ///
    /// Users sign in with tokens from identity providers.
    let verifier: TokenVerifier

    init(_ database: Database, _ settings: APISettings) {
      logins = APILogins(database, settings)
      self.database = PresenceDatabase(logins.calls)
      streams = PresenceDatabase(logins.signIn)
      accounts = streams.accounts
      verifier = settings.verifier
    }

    /// The session tokens.
    ///
    /// The database checks each request's token, so a session ends on all servers immediately.
    var tokens: APITokens {
      .ofSessions { [accounts] token in
        guard Self.isHex(token) else { throw AppError.sessionExpired }
        return try await accounts.user(ofSession: token)
      }
    }

    /// Returns whether a string consists of 64 lowercase hexadecimal digits, like a session token
    /// or a device secret.
    static func isHex(_ text: String) -> Bool {
      text.utf8.count == 64
        && text.utf8.allSatisfy { byte in
          (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
        }
    }

    func probeSignIn() async throws { try await accounts.checkFindsUsers() }

    func refusal(for error: any Error, at place: String) -> APIRefusal? {
      guard let error = error as? AppError, let status = error.status else { return nil }
      return APIRefusal(error, status, at: place)
    }

    func cause(of error: any Error) -> any Error {
      guard case .serverError(let cause)? = error as? AppError else { return error }
      return cause
    }

    /// Returns a `PresenceMember` for the caller, with the calls that no repository offers.
    func member(_ call: APICall) -> PresenceMember { PresenceMember(database, user: call.user) }
  }

  extension APIReply {
    /// Returns a response with a Who's There entity.
    static func entity(_ value: some Encodable, version: String? = nil) throws -> APIReply {
      try .entity(value, as: WireFormat.self, version: version)
    }
  }
#endif
