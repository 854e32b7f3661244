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

    /// Returns the refusal for an error of the product, or nil if the caller did not cause the
    /// error.
    func refusal(for error: any Error, at place: String) -> APIRefusal?

    /// Returns the id of the user with the given identity, or nil if the user has not signed in
    /// yet.
    ///
    /// The method creates no user, so a token of a deleted account cannot restore the account.
    func user(of identity: UserIdentity) async throws -> String?

    /// Checks that the database accepts the calls of users.
    ///
    /// The server refuses a login that has more rights than these calls need.
    ///
    /// - Throws: `PostgresError`, or `Complaint` if requests would fail.
    func probeCalls() async throws

    /// Checks the login that finds and creates users.
    ///
    /// - Throws: `PostgresError`, or `Complaint` if requests would fail.
    func probeSignIn() async throws

    /// Closes the connections.
    func close() async
  }
#endif
