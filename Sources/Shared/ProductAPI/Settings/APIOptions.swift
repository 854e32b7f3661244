#if HTTP
  import ArgumentParser
  package import Baton
  import BatonPostgres
  import Foundation
  import Logging

  /// The arguments of the command `api`, which serves a product's API.
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
    ///   - make: creates the product with the settings.
    package func serve<Product: APIProduct>(
      providers: [String],
      _ make: @escaping @Sendable (Database, APISettings) -> Product
    ) async throws {
      let database = try await Database.orExit()
      try await database.reportingErrors() {
        let settings = try APISettings(
          http: http, isOpen: httpOpen, of: database, providers: providers)
        let logger = log.logger
        let product = make(database, settings)
        do {
          try await product.probe()
        } catch let error as PostgresError where error.sqlState.isTransient {
          // As with `serve`, the server starts without the database. The server is not ready until
          // the database can be reached.
          logger.warning("the database cannot be reached yet: \(error)")
        } catch let error as PostgresError {
          throw Complaint(probe: error, database) ?? error
        }
        let handler = APIHandler(
          product, verifier: settings.verifier, limits: settings.limits, metrics: APIMetrics(),
          metricsToken: settings.metricsToken, logger: logger)
        try await untilSignal {
          let server = try await APIServer.start(
            handler, at: settings.address, through: settings.proxies, logger: logger)
          logger.notice("answering HTTP at \(server.address), for users with a token")
          try? await Task.sleep(for: .seconds(1_000_000_000))
          // The server stops in a new task, because the signal has cancelled the current task.
          await Task { await server.stop() }.value
        }.end.get()
      }
    }
  }

  extension Complaint {
    /// Describes why the database does not accept calls from an API, or returns nil for an error
    /// with a general message.
    fileprivate init?(probe error: PostgresError, _ database: Database) {
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
          place: "DATABASE_URL and BATON_API_SIGN_IN_URL",
          next: "Log in as \(database.schema)_authenticator and as \(database.schema)_api.")
      default: return nil
      }
    }

    /// The error if the database does not accept the signature of an identity.
    package static let signatureRefused = Complaint(
      .configuration, what: "The database does not accept the signing key.",
      place: "BATON_API_KEY_FILE",
      next: "Write the current columns of rotate_claim_key() there; and compare the clocks.")
  }
#endif
