#if HTTP
  package import ProductKit

  /// A product whose SQL functions are available over HTTP.
  package protocol APIProduct: Sendable {
    /// The JSON format of the product's entities.
    associatedtype Format: EntityFormat

    /// The title of the OpenAPI description.
    static var title: String { get }
    /// The routes.
    static var routes: [APIRoute<Self>] { get }

    /// The connections to the database.
    var logins: APILogins { get }
    /// The kind of tokens that users' requests contain.
    var tokens: APITokens { get }
    /// The access tokens that the API issues in addition to ``tokens``, or nil if it does not issue
    /// tokens.
    var sessions: SessionTokens? { get }

    /// Returns the refusal for a product error, or nil if the caller did not cause it.
    func refusal(for error: any Error, at place: String) -> APIRefusal?

    /// Returns the database's error if the product's error contains one.
    ///
    /// If the error contains no database error, the method returns the error itself.
    func cause(of error: any Error) -> any Error

    /// Checks that the login for sign-in may call the functions that find and create users.
    ///
    /// - Throws: `PostgresError`.
    func probeSignIn() async throws
  }

  extension APIProduct {
    package var sessions: SessionTokens? { nil }

    package func cause(of error: any Error) -> any Error { error }

    /// Checks the privileges of the login that finds and creates users.
    ///
    /// - Throws: `PostgresError`, or `Complaint` if the login has too many privileges or may not
    ///   use the schema.
    func checkSignIn() async throws {
      try await logins.probeSignIn()
      try await probeSignIn()
    }
  }

  /// The kind of token in users' requests, and the function that finds a token's user.
  package enum APITokens: Sendable {
    /// Tokens from identity providers.
    ///
    /// The function returns the id of the user who has the given identity, or nil if the user has
    /// not signed in yet. The function does not create a user, not even for a valid token of a
    /// deleted account.
    case ofProviders(@Sendable (UserIdentity) async throws -> String?)
    /// Tokens of the product's own sessions.
    ///
    /// The function returns the id of the user to whom a token belongs. If the token is not valid,
    /// the function throws an error that the product converts to a refusal.
    case ofSessions(@Sendable (String) async throws -> String)

    /// The token format for the OpenAPI description, or nil for tokens without a format.
    var format: String? {
      switch self {
      case .ofProviders: "JWT"
      case .ofSessions: nil
      }
    }
  }
#endif
