#if HTTP
  package import Baton
  import BatonPostgres
  import Foundation
  package import Logging

  /// The settings of an API, from the environment or the settings file.
  package struct APISettings: Sendable {
    package let address: HTTPAddress
    package let proxies: TrustedProxies
    package let limits: APILimits
    /// How long a stream can be without events before the server sends a comment.
    package let heartbeat: Duration
    /// The number of connections per login.
    package let connections: Int
    package let verifier: TokenVerifier
    package let key: SigningKey
    /// The access tokens of the API's own sessions, or nil if no file with session keys is set.
    package let sessions: SessionTokens?
    /// The role of users in the database.
    package let userRole: String
    /// The database, connected as the login that finds and creates users.
    package let signIn: Database
    package let metricsToken: HTTPToken?
    package let logger: Logger

    /// The environment variables of the settings, for `Application.variables`.
    package static let variables = [
      "BATON_API_HTTP", "BATON_API_ISSUERS_FILE", "BATON_API_KEY_FILE", "BATON_API_SIGN_IN_URL",
      "BATON_API_SIGN_IN_PASSWORD_FILE", "BATON_API_USER_ROLE", "BATON_API_CONNECTIONS",
      "BATON_API_USER_LIMIT", "BATON_API_ADDRESS_LIMIT", "BATON_API_ADDRESS_CONNECTIONS",
      "BATON_API_SESSION_KEYS_FILE", "BATON_API_SESSION_SECONDS", "BATON_API_USER_STREAMS",
      "BATON_API_HEARTBEAT",
    ]

    /// Reads the settings, and the files whose paths the settings contain.
    ///
    /// - Parameters:
    ///   - http: the argument with the address, or nil if the argument is missing.
    ///   - isOpen: whether an argument allows an address that other machines can reach.
    ///   - providers: the names of the product's identity providers.
    ///   - needsProviders: whether users can sign in only with an identity provider.
    ///   - logger: the log of the server.
    /// - Throws: `Complaint`, or `PostgresError` if a file with a secret is unusable.
    package init(
      http: String?, isOpen: Bool, of database: Database, providers: [String],
      needsProviders: Bool, logger: Logger
    ) throws {
      self.logger = logger
      address = try Self.address(http, isOpen: isOpen)
      proxies = try .ofEnvironment()
      var limits = APILimits()
      limits.ofUser = try Self.number("BATON_API_USER_LIMIT", 1...1_000_000) ?? limits.ofUser
      limits.ofAddress =
        try Self.number("BATON_API_ADDRESS_LIMIT", 1...1_000_000) ?? limits.ofAddress
      limits.connectionsOfAddress =
        try Self.number("BATON_API_ADDRESS_CONNECTIONS", 1...APIServer.mostConnections)
        ?? limits.connectionsOfAddress
      limits.streamsOfUser =
        try Self.number("BATON_API_USER_STREAMS", 1...10_000) ?? limits.streamsOfUser
      self.limits = limits
      heartbeat = .seconds(try Self.number("BATON_API_HEARTBEAT", 1...60) ?? 15)
      connections = try Self.number("BATON_API_CONNECTIONS", 1...100) ?? 8
      verifier = TokenVerifier(
        try Self.issuers(providers, needsProviders: needsProviders, logger: logger))
      Dumps.forbid()
      guard
        let keyFile = Self.secret(
          "BATON_API_KEY_FILE", orCredential: "baton.api-key", holds: "signing key")
      else {
        throw Self.unset(
          "BATON_API_KEY_FILE", "Write ID:KEY of rotate_claim_key() into a file with mode 600.")
      }
      key = try SigningKey(keyFile)
      sessions = try Self.sessions()
      userRole = Self.text("BATON_API_USER_ROLE") ?? "\(database.schema)_user"
      let address = try Self.required(
        "BATON_API_SIGN_IN_URL", "Write the address of the database with the login of the role api."
      )
      let passwordFile = "BATON_API_SIGN_IN_PASSWORD_FILE"
      signIn = Database(
        address: address, schema: database.schema, description: "BATON_API_SIGN_IN_URL",
        password: Self.secret(
          passwordFile, orCredential: "baton.sign-in-password", holds: "password"),
        settings: ("BATON_API_SIGN_IN_URL", passwordFile))
      metricsToken = HTTPToken.ofEnvironment
      _ = try metricsToken?.read()
    }

    // MARK: Values

    private static func text(_ name: String) -> String? {
      ProcessInfo.processInfo.environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Returns the file whose path a setting contains, or a systemd credential, or nil if neither
    /// exists.
    private static func secret(
      _ name: String, orCredential credential: String, holds what: String
    ) -> PasswordFile? {
      text(name).map { PasswordFile($0, namedBy: name, holds: what) }
        ?? PasswordFile.credential(credential, holds: what)
    }

    private static func sessions() throws -> SessionTokens? {
      let lifetime = try number("BATON_API_SESSION_SECONDS", 1...3_600) ?? 300
      guard
        let file = secret(
          "BATON_API_SESSION_KEYS_FILE", orCredential: "baton.session-keys", holds: "session key")
      else { return nil }
      return SessionTokens(try SessionKeys(file), lifetime: lifetime)
    }

    private static func required(_ name: String, _ next: String) throws -> String {
      guard let text = text(name) else { throw unset(name, next) }
      return text
    }

    private static func unset(_ name: String, _ next: String) -> Complaint {
      Complaint(
        .usage, what: "\(name) is not set.", place: name,
        next: "\(next) See docs/\(Program.name)/http-api.md.")
    }

    private static func number(_ name: String, _ range: ClosedRange<Int>) throws -> Int? {
      guard let text = text(name) else { return nil }
      guard let number = Int(text), range.contains(number) else {
        throw Complaint(
          .usage,
          what: "'\(text)' is not a number from \(range.lowerBound) to \(range.upperBound).",
          place: name, next: "Write a number in this range, without a unit.")
      }
      return number
    }

    private static func address(_ http: String?, isOpen: Bool) throws -> HTTPAddress {
      let place = http == nil ? "BATON_API_HTTP" : "--http"
      let text = http ?? text("BATON_API_HTTP") ?? "127.0.0.1:8081"
      guard let address = HTTPAddress(text) else {
        throw Complaint(
          .usage, what: "'\(text)' is not an address for HTTP.", place: place,
          next:
            "Write 127.0.0.1:8081, [::1]:8081 or unix:/path. The only allowed name is localhost.")
      }
      try address.checkReach(isOpen: isOpen, place: place, next: "add --http-open.")
      return address
    }

    private static func issuers(
      _ providers: [String], needsProviders: Bool, logger: Logger
    ) throws -> [TokenIssuer] {
      let name = "BATON_API_ISSUERS_FILE"
      guard needsProviders || text(name) != nil else { return [] }
      let path = try required(name, "Write the issuers of tokens into a file, as a JSON list.")
      guard let data = FileManager.default.contents(atPath: path) else {
        throw Complaint(
          .noInput, what: "The file of issuers cannot be read.", place: "\(path) (\(name))",
          next: "Name a file that exists and that this user may read.")
      }
      do throws(TokenIssuer.Malformed) {
        return try TokenIssuer.list(data, providers: providers, logger: logger)
      } catch {
        throw Complaint(
          .usage, what: "The file of issuers is not valid: \(error.what).",
          place: "\(path) (\(name))",
          next: "See the example in docs/\(Program.name)/http-api.md.")
      }
    }
  }
#endif
