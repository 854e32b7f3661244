#if HTTP
  package import Baton
  package import BatonPostgres
  package import Logging

  extension APISettings {
    /// The identity provider of a program that signs tokens itself, such as a demo.
    package struct OwnIssuer: Sendable {
      let provider: String
      let name: String
      let audience: String
      let keys: String

      /// Creates a provider.
      ///
      /// - Parameters:
      ///   - provider: the name of the provider in the product, such as `email`.
      ///   - name: the tokens' `iss` claim.
      ///   - audience: the tokens' `aud` claim.
      ///   - keys: the absolute path of a file with the JSON Web Key Set.
      package init(provider: String, name: String, audience: String, keys: String) {
        (self.provider, self.name) = (provider, name)
        (self.audience, self.keys) = (audience, keys)
      }

      fileprivate var entry: TokenIssuer.Entry {
        TokenIssuer.Entry(provider: provider, audience: [audience], issuer: name, keys: keys)
      }
    }

    /// Creates settings from values instead of the environment, for a demo or a bench.
    ///
    /// - Parameters:
    ///   - userRole: the role of users in the database.
    ///   - signIn: the database, connected as the login that finds and creates users.
    ///   - issuer: the only identity provider, or nil if only session access tokens are valid.
    ///   - signingKey: the file with the key that signs identities.
    ///   - sessionKeys: the file with the keys that sign access tokens.
    ///   - lifetime: the lifetime of access tokens in seconds.
    ///   - connections: the number of connections per login.
    ///   - limits: the limits on requests and open connections.
    /// - Throws: an error if a file or the path to the issuer's keys is unusable.
    package init(
      address: HTTPAddress, userRole: String, signIn: Database, issuer: OwnIssuer?,
      signingKey: PasswordFile, sessionKeys: PasswordFile, lifetime: Int = 300,
      connections: Int = 8, limits: APILimits = APILimits(), logger: Logger
    ) throws {
      self.address = address
      proxies = try TrustedProxies([])
      self.limits = limits
      heartbeat = .seconds(15)
      self.connections = connections
      verifier = TokenVerifier(
        try [issuer].compactMap(\.self).map { try TokenIssuer($0.entry, logger: logger) })
      key = try SigningKey(signingKey)
      sessions = SessionTokens(try SessionKeys(sessionKeys), lifetime: lifetime)
      self.userRole = userRole
      self.signIn = signIn
      metricsToken = nil
      self.logger = logger
    }
  }
#endif
