#if HTTP
  package import Baton
  import BatonLive
  import BatonPostgres
  package import Logging
  import Synchronization

  /// Responds to requests that are not part of an API, such as requests for a demo's page.
  ///
  /// If the closure returns nil, the API responds to the request.
  package typealias APIFront = @Sendable (APIRequest) async -> APIReply?

  /// Responds to requests to a product's API.
  ///
  /// The handler makes the checks in this order: address limit, path and method, token, user limit
  /// and account, and values of the request. The database makes all other checks, such as
  /// permission checks.
  package final class APIHandler<Product: APIProduct>: Sendable {
    private let product: Product
    private let verifier: TokenVerifier
    private let addresses, users: RequestLimiter
    private let streams: OpenStreams
    private let known = KnownUsers()
    private let metrics: APIMetrics
    private let metricsToken: HTTPToken?
    private let front: APIFront?
    private let description: String
    private let routes = Product.routes
    private let logger: Logger
    /// The number of requests that are being processed.
    private let open = Atomic(0)

    /// The maximum number of requests that are processed at the same time.
    ///
    /// With a higher maximum, requests would only wait longer for a connection to the database.
    private static var mostOpen: Int { 1_000 }

    package init(
      _ product: Product, verifier: TokenVerifier, limits: APILimits, metrics: APIMetrics,
      metricsToken: HTTPToken?, front: APIFront? = nil, logger: Logger
    ) {
      (self.product, self.verifier) = (product, verifier)
      addresses = RequestLimiter(perMinute: limits.ofAddress)
      users = RequestLimiter(perMinute: limits.ofUser)
      streams = OpenStreams(ofUser: limits.streamsOfUser)
      (self.metrics, self.metricsToken, self.logger) = (metrics, metricsToken, logger)
      self.front = front
      description = OpenAPI.text(of: product)
    }

    /// Ends all streams, and refuses new streams.
    func endStreams() { streams.close() }

    /// Closes the connections to the database.
    package func close() async { await product.logins.close() }

    /// Returns the response to a request.
    package func reply(to request: APIRequest) async -> APIReply {
      let began = ContinuousClock.now
      let (name, reply) = await RequestSpan.within(request) { await answer(request) }
      metrics.record(name, status: reply.status, took: began.duration(to: .now))
      return reply
    }

    /// Returns the response and, for the metrics, the route's name.
    private func answer(_ request: APIRequest) async -> (name: String, reply: APIReply) {
      // Health checks are not limited, because all of a cluster's checks may come from one address.
      if let reply = await health(request) { return (request.path, reply) }
      if let seconds = addresses.take(.at(request.address)) {
        return ("limited", APIRefusal.limited("this address", seconds: seconds).reply)
      }
      guard open.add(1, ordering: .relaxed).oldValue < Self.mostOpen else {
        open.subtract(1, ordering: .relaxed)
        return ("busy", APIRefusal.unavailable("the server is too busy", at: "the server").reply)
      }
      defer { open.subtract(1, ordering: .relaxed) }
      if let reply = await front?(request) { return ("front", reply) }
      if request.path == "/metrics" { return (request.path, scrape(request)) }
      if request.path == "/openapi.json", Self.isRead(request) {
        return (request.path, APIReply(200, json: description))
      }
      let (route, inPath): (APIRoute<Product>, [String: String])
      do throws(APIRefusal) {
        (route, inPath) = try found(request)
      } catch {
        return ("unknown", error.reply)
      }
      do throws(APIRefusal) {
        return (route.name, try await act(request, route, inPath))
      } catch {
        return (route.name, error.reply)
      }
    }

    // MARK: Routes of users

    private func found(
      _ request: APIRequest
    ) throws(APIRefusal) -> (APIRoute<Product>, [String: String]) {
      guard let parts = request.segments else {
        throw .malformed("the path cannot be decoded", at: request.path.shortened(to: 256))
      }
      let there = routes.compactMap { route in route.match(parts).map { (route, $0) } }
      guard !there.isEmpty else { throw .noSuchPath(request.path) }
      let method = request.method == "HEAD" ? "GET" : request.method
      guard let found = there.first(where: { $0.0.method == method }) else {
        throw .otherMethod(there.map(\.0.method), at: request.path)
      }
      return found
    }

    private func act(
      _ request: APIRequest, _ route: APIRoute<Product>, _ inPath: [String: String]
    ) async throws(APIRefusal) -> APIReply {
      guard !request.isBodyTooLong else { throw .tooLong(at: route.name) }
      do {
        switch (route.access, product.tokens) {
        case (.open, _): return try await perform()
        case (.user, _) where route.isStream && request.ticket != nil:
          let access = try await product.logins.tickets.redeem(request.ticket ?? "")
          return try await perform(nil, access.user, access: access)
        case (.identity, _): return try await perform(try await identity(of: request))
        case (.user, .ofProviders(let find)):
          if let session = try await self.session(of: request) {
            return try await perform(nil, session.user, session: session)
          }
          let identity = try await identity(of: request)
          guard let user = known.user(of: identity) else {
            return try await perform(identity, try await self.user(of: identity, find))
          }
          do {
            return try await perform(identity, user)
          } catch  where refusal(for: error, at: route.name)?.mayHaveOutdatedUser == true {
            // The cached account was deleted, so the database rejected the call, or the client
            // expects another user. If the user has created a new account since the old one was
            // deleted, the call is repeated with the new account.
            known.remove(identity)
            return try await perform(identity, try await self.user(of: identity, find))
          }
        case (.user, .ofSessions(let find)):
          let user = try await find(try bearerToken(of: request))
          try limit(user)
          return try await perform(nil, user)
        }
      } catch {
        throw refusal(for: error, at: route.name) ?? fault(error, at: route.name)
      }

      func perform(
        _ identity: UserIdentity? = nil, _ user: String = "",
        session: SessionTokens.Session? = nil, access: StreamAccess? = nil
      ) async throws -> APIReply {
        let call = try APICall(
          request, route, inPath: inPath, identity: identity, user: user, session: session,
          access: access)
        guard !route.isStream else { return try await stream(route, call) }
        return fresh(try await route.act(product, call), for: request)
      }
    }

    /// Opens a stream, after the database has checked that the user may read the topic.
    private func stream(
      _ route: APIRoute<Product>, _ call: APICall
    ) async throws -> APIReply {
      let user = call.access.user
      let id = try streams.reserve(for: user)
      var reply: APIReply
      do {
        reply = try await route.act(product, call)
        if let source = reply.events {
          streams.start(source, as: id)
          do {
            try await source.open()
          } catch {
            source.end()
            throw error
          }
          reply.stream = APIStream(
            source, route: route.name, access: call.access,
            refusal: { [self] error in
              refusal(for: error, at: route.name) ?? fault(error, at: route.name)
            },
            release: { [streams] in streams.release(id, of: user) })
        }
      } catch {
        streams.release(id, of: user)
        throw error
      }
      return reply
    }

    private func bearerToken(of request: APIRequest) throws(APIRefusal) -> String {
      guard let token = request.bearerToken else {
        throw .notAuthenticated(
          "a token is needed", next: "Send one header Authorization: Bearer TOKEN.",
          at: "the header Authorization")
      }
      return token
    }

    /// Returns the session of the request's access token, or nil if the token is not an access
    /// token of this API.
    private func session(
      of request: APIRequest
    ) async throws(APIRefusal) -> SessionTokens.Session? {
      guard let sessions = product.sessions, let token = request.bearerToken,
        sessions.areNamed(by: token)
      else { return nil }
      let session = try await sessions.session(of: token)
      try limit(session.user)
      return session
    }

    /// Returns the identity from an identity provider's verified token.
    private func identity(of request: APIRequest) async throws(APIRefusal) -> UserIdentity {
      let identity = try await verifier.identity(of: try bearerToken(of: request))
      try limit(identity.key.text)
      return identity
    }

    /// Counts a request against a user's limit.
    private func limit(_ user: String) throws(APIRefusal) {
      if let seconds = users.take(.user(ExactText(user))) {
        throw .limited("this user", seconds: seconds)
      }
    }

    /// Reads the id of the user to whom an identity belongs.
    private func user(
      of identity: UserIdentity, _ find: (UserIdentity) async throws -> String?
    ) async throws -> String {
      guard let user = try await find(identity) else {
        // Only the sign-in route accepts an identity without an account.
        let signIn = routes.first { $0.access == .identity }?.name ?? "the route for sign-in"
        throw APIRefusal.notAuthenticated(
          "no account belongs to this token",
          next: "Call \(signIn) with this token, and repeat the request.")
      }
      known.add(user, of: identity)
      return user
    }

    /// Returns status 304 instead of a response that the client already has.
    ///
    /// The content was read with the user's rights, so only a user who may read it gets status 304.
    private func fresh(_ reply: APIReply, for request: APIRequest) -> APIReply {
      guard let version = reply.version, request.has(version: version) else { return reply }
      var fresh = APIReply(304)
      fresh.version = version
      return fresh
    }

    private func refusal(for error: any Error, at place: String) -> APIRefusal? {
      error as? APIRefusal ?? product.refusal(for: error, at: place)
    }

    private func fault(_ error: any Error, at place: String) -> APIRefusal {
      let cause = product.cause(of: error)
      logger.warning("API: \(place): \(cause)")
      guard let state = (cause as? PostgresError)?.sqlState else {
        return .fault(at: place, sqlState: nil)
      }
      // The database server rejected the login, or denied a privilege. The response is a temporary
      // error, because an operator can correct the login or the privilege while the API is running.
      guard state.failure.mayBeOfValue else {
        return .unavailable("the database does not execute the call", at: place)
      }
      return .fault(at: place, sqlState: state.code)
    }

    // MARK: Routes of operators

    private func health(_ request: APIRequest) async -> APIReply? {
      guard Self.isRead(request) else { return nil }
      switch request.path {
      case "/health/live": return APIReply(200, json: #"{"status":"live"}"#)
      case "/health/ready": return await metrics.isReady(product) ? .ready : .notReady
      default: return nil
      }
    }

    private static func isRead(_ request: APIRequest) -> Bool {
      ["GET", "HEAD"].contains(request.method)
    }

    /// Returns the metrics only if the request contains the metrics token.
    private func scrape(_ request: APIRequest) -> APIReply {
      guard request.method == "GET", let metricsToken, let sent = request.bearerToken,
        (try? metricsToken.read())?.isEqual(to: sent) == true
      else { return APIRefusal.noSuchPath(request.path).reply }
      return metrics.text()
    }
  }

  extension APIReply {
    fileprivate static let ready = APIReply(200, json: #"{"status":"ready"}"#)
    fileprivate static let notReady = APIReply(503, json: #"{"status":"not ready"}"#)
  }

  /// The limits on requests per minute, connections and streams.
  package struct APILimits: Sendable {
    package var ofUser = 600
    package var ofAddress = 6_000
    /// The maximum number of open connections per address.
    package var connectionsOfAddress = 1_024
    /// The maximum number of open streams per user.
    package var streamsOfUser = 20

    package init() {}
  }
#endif
