#if HTTP
  import ArgumentParser
  package import Baton
  package import BatonPostgres
  import Foundation
  import Logging

  /// The arguments of the `api` command, which serves a product's API.
  package struct APIOptions: ParsableArguments {
    @Option(
      help: ArgumentHelp(
        "Serve the API at this address: 127.0.0.1:8081, [::1]:8081 or unix:/path.",
        valueName: "address"))
    var http: String?

    @Flag(help: "Allow an address that other machines can reach; a proxy must add TLS.")
    var httpOpen = false

    @OptionGroup var log: LogOptions

    package init() {}

    /// Serves the API until a signal arrives.
    ///
    /// - Parameters:
    ///   - providers: the names of the product's identity providers.
    ///   - needsProviders: whether all users must sign in with an identity provider.
    ///   - make: creates the product with the settings.
    package func serve<Product: APIProduct>(
      providers: [String], needsProviders: Bool = true,
      _ make: @escaping @Sendable (Database, APISettings) -> Product
    ) async throws {
      let database = try await Database.orExit(for: log)
      try await database.reportingErrors(in: log.format) {
        let logger = log.logger
        let settings = try APISettings(
          http: http, isOpen: httpOpen, of: database, providers: providers,
          needsProviders: needsProviders, logger: logger)
        try OpenFiles.allow(connections: APIServer.mostConnections)
        let product = make(database, settings)
        try await Self.check(database) { try await product.logins.probeCalls() }
        try await Self.check(settings.signIn) { try await product.checkSignIn() }
        // If the database server hangs, its connections cannot be closed, so stopping has a time
        // limit.
        try await untilSignal(isLimited: true) {
          let server = try await APIServer.start(product, settings)
          logger.notice("answering HTTP at \(server.address), for users with a token")
          try? await Task.sleep(for: .seconds(1_000_000_000))
          // The server stops in a new task, because the signal has cancelled the current task.
          await Task { await server.stop() }.value
        }.end.get()
      }
    }

    /// Checks a login before the server starts, and throws an error if requests would fail.
    ///
    /// - Parameter database: the database of the login, for error messages.
    private static func check(
      _ database: Database, _ probe: () async throws -> Void
    ) async throws {
      do {
        try await probe()
      } catch let error as PostgresError {
        throw Complaint(probe: error, database) ?? Complaint(error, database: database)
      }
    }
  }

  extension Complaint {
    /// Describes why the database does not accept calls from an API, or returns nil for other
    /// errors.
    fileprivate init?(probe error: PostgresError, _ database: Database) {
      // An error without a statement means that the connection could not be opened.
      guard error.statement != nil else { return nil }
      switch error.sqlState.code {
      case "42883", "3F000":
        self.init(
          .configuration, what: "The schema is older than this binary, or does not exist.",
          place: "schema \(database.schema), \(database)", next: "Run \(Program.migrate).")
      case "22023", "42704":
        self.init(
          .configuration, what: "The schema has no roles: \(error.message).",
          place: "schema \(database.schema), \(database)",
          next: "Run `\(Program.name) roles create`, or name the role in BATON_API_USER_ROLE.")
      case "42501":
        self.init(
          .notAllowed, what: "A login may not do what the API needs: \(error.message).",
          place: "schema \(database.schema), \(database)",
          next: Self.logins(of: database.schema))
      default: return nil
      }
    }

    /// The error if a login has more privileges than users' calls need, such as "is a superuser".
    package static func excessRight(
      _ right: String, of user: String, in schema: Schema
    ) -> Complaint {
      Complaint(
        .configuration, what: "The login \(user) \(right), which the API does not need.",
        place: "schema \(schema)", next: logins(of: schema))
    }

    /// The error if a login has no permission to use the schema.
    package static func mayNotUse(_ schema: Schema, _ user: String) -> Complaint {
      Complaint(
        .notAllowed, what: "A login may not do what the API needs: \(user) may not use the schema.",
        place: "schema \(schema)", next: logins(of: schema))
    }

    private static func logins(of schema: Schema) -> String {
      "Log in as \(schema)_authenticator with DATABASE_URL, and as \(schema)_api with "
        + "BATON_API_SIGN_IN_URL."
    }

    /// The error if the database does not accept an identity's signature.
    package static let signatureRefused = Complaint(
      .configuration, what: "The database does not accept the signing key.",
      place: "BATON_API_KEY_FILE",
      next: "Write the current columns of rotate_claim_key() there; and compare the clocks.")
  }
#endif
