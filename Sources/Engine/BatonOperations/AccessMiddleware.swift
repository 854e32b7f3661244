import Baton
import BatonPostgres
import Logging

/// Checks the host, origin, method and credentials of each request, and rejects requests before a
/// handler reads them.
struct AccessMiddleware: Sendable {
  /// The host names that a request's `Host` header may contain.
  let hosts: Set<String>
  /// The token that programs must send, or nil if programs cannot authenticate with a token.
  let token: HTTPToken?
  /// The users who may log in, or nil if users cannot log in.
  let users: HTTPUsers?
  /// The verifier that compares passwords, or nil if no passwords are compared.
  let verifier: (any PasswordVerifier)?
  /// Whether health probes from other machines can reach the server.
  private let isForProbes: Bool
  let sessions = Sessions()
  let logger: Logger
  /// The CSRF token in anonymous clients' forms.
  private let openToken = RandomToken()

  init(
    _ settings: HTTPSettings, verifier: (any PasswordVerifier)? = nil, logger: Logger
  ) {
    (hosts, token, users) = (settings.hosts, settings.token, settings.users)
    self.verifier = verifier
    isForProbes = !settings.address.isOfThisMachine
    self.logger = logger
  }

  /// The result of checking a request.
  enum Admission: Sendable {
    /// The request is rejected with the given response.
    case refused(Response)
    /// The request is admitted. The principal is nil if the path needs no authentication.
    case admitted(Principal?)
  }

  /// The paths of health checks, which need no token.
  private static let health: Set = ["/health/live", "/health/ready"]

  /// Decides whether a request is admitted.
  ///
  /// The host is checked first, to protect against DNS rebinding. In a DNS rebinding attack, the
  /// host name of a hostile web page temporarily resolves to this machine. During the attack, the
  /// browser treats this server as the site of the hostile page, and does not restrict the page's
  /// requests. The `Host` header of these requests contains the hostile page's host name.
  ///
  /// If other machines can reach the server's address, the server responds to health checks
  /// regardless of the host name in the request. A Kubernetes or load balancer probe uses the
  /// address of a pod or machine, which cannot be configured in advance. The response to a health
  /// check with an unknown host name reports only whether the process is ready.
  ///
  /// - Parameter isUse: whether the request extends the user's session.
  func admit(_ request: Request, isUse: Bool? = nil) -> Admission {
    if isForProbes, Self.health.contains(request.path),
      ["GET", "HEAD"].contains(request.method)
    {
      return .admitted(nil)
    }
    guard isKnown(request.hosts) else {
      return .refused(
        .refused(
          421, "the Host header names an unknown host", at: "the header Host",
          next: "Add the name to BATON_HTTP_HOSTS, or use an address of the server."))
    }
    guard request.origins.allSatisfy(isKnown(origin:)) else {
      return .refused(
        .refused(
          403, "the Origin header names another origin", at: "the header Origin",
          next: "Add the name to BATON_HTTP_HOSTS, or send the request from a page of the server."))
    }
    let methods = Self.methods(of: request.path)
    guard methods.contains(request.method) else {
      let allowed = methods.joined(separator: ", ")
      return .refused(
        .refused(
          405, "only \(allowed)", at: "the method", next: "Send an allowed method.",
          ["allow": allowed]))
    }
    let isPost = request.method == "POST"
    guard !isPost || isSameOrigin(request) else {
      return .refused(
        .refused(
          403, "the form belongs to another origin", at: "the form",
          next: "Open the page again, and repeat the action."))
    }
    guard isPost || isAllowedRead(request) else {
      return .refused(
        .refused(
          403, "a page of another site sent the request", at: "the header Sec-Fetch-Site",
          next: "Open the address in the browser."))
    }
    guard !isOpen(request.path) else { return .admitted(nil) }
    guard let principal = principal(of: request, isUse: isUse ?? request.isNavigation) else {
      return .refused(unknown(request))
    }
    // The API has its own response to a body that is too long. A form's token is in its body.
    guard !request.isBodyTooLong || request.path.hasPrefix("/api/") else {
      return .refused(
        .refused(
          413, "the form has more than \(Request.longestBody) bytes", at: "the form",
          next: "Send a shorter form, or use the command `runs retry ID --payload JSON`."))
    }
    guard !isPost || hasToken(request, of: principal) else {
      return .refused(
        .refused(
          403, "the form belongs to another session: open its page again", at: "the form",
          next: "Open the page again, and repeat the action."))
    }
    return .admitted(principal)
  }

  private static func methods(of path: String) -> [String] {
    if let own = API.methods(of: path) { return own }
    let isRead =
      health.contains(path) || path.hasPrefix("/health/") || path == "/metrics"
      || path == "/events" || path == "/api/status" || path.hasPrefix("/assets/")
    return isRead ? ["GET", "HEAD"] : ["GET", "HEAD", "POST"]
  }

  /// Returns whether a path needs no authentication: health checks, the pages' assets, and the
  /// login page.
  private func isOpen(_ path: String) -> Bool {
    Self.health.contains(path)
      || users != nil && (path.hasPrefix("/assets/") || path == "/login")
  }

  // MARK: Host and origin

  /// Returns whether the host and the origin of a request belong to this server.
  func isOfKnownHost(_ request: Request) -> Bool {
    isKnown(request.hosts) && !request.origins.contains { !isKnown(origin: $0) }
  }

  private func isKnown(_ sent: [String]) -> Bool {
    guard sent.count == 1 else { return false }
    return hosts.contains(Self.name(of: sent[0]))
  }

  private func isKnown(origin: String) -> Bool {
    guard let scheme = origin.firstRange(of: "://") else { return false }
    return hosts.contains(Self.name(of: origin[scheme.upperBound...]))
  }

  /// Returns the host name in lower case, excluding the port, for example from `[::1]:8080` or
  /// `Localhost:8080`.
  static func name(of host: some StringProtocol) -> String {
    let lower = host.lowercased()
    if lower.hasPrefix("["), let end = lower.firstIndex(of: "]") {
      let rest = lower[end...].dropFirst()
      return rest.isEmpty || rest.hasPrefix(":") ? String(lower[...end]) : lower
    }
    return String(lower.prefix { $0 != ":" })
  }

  // MARK: Authentication

  /// Returns the principal of a request, or nil if the request is not authenticated.
  ///
  /// If the request contains a token, the cookie is ignored, so a valid cookie cannot replace a
  /// wrong token.
  private func principal(of request: Request, isUse: Bool) -> Principal? {
    guard request.authorizations.isEmpty else {
      return shows(request.authorizations) ? Principal(kind: .program, formToken: nil) : nil
    }
    if let key = request.cookies[sessions.cookie],
      let session = sessions.session(key, isUse: isUse), isCurrent(session)
    {
      return Principal(kind: .person(session.person, key: key), formToken: session.formToken)
    }
    guard token == nil, users == nil else { return nil }
    return Principal(kind: .anonymous, formToken: openToken)
  }

  /// Returns whether the users file still contains the hash with which the user logged in.
  private func isCurrent(_ session: Sessions.Session) -> Bool {
    do {
      return try users?.hashes()[session.person] == session.hash
    } catch {
      logger.warning("all requests are refused: \(error)")
      return false
    }
  }

  private func shows(_ authorizations: [String]) -> Bool {
    // If no credentials are required, a request with a wrong token is also accepted.
    guard let token else { return users == nil }
    guard authorizations.count == 1 else { return false }
    let parts = authorizations[0].split(separator: " ", maxSplits: 1)
    guard parts.count == 2, parts[0].lowercased() == "bearer" else { return false }
    do {
      return try token.read().isEqual(to: parts[1])
    } catch {
      logger.warning("all requests are refused: \(error)")
      return false
    }
  }

  /// Redirects a user to the login page, or returns an error response to a program.
  private func unknown(_ request: Request) -> Response {
    let isPage = request.isNavigation && !request.path.hasPrefix("/api/")
    guard users != nil, isPage, request.authorizations.isEmpty,
      request.path != "/metrics", request.path != "/events"
    else {
      let needsSession = token == nil && users != nil
      return .refused(
        401, needsSession ? "a session is needed" : "a token is needed",
        at: needsSession ? "the cookie of the session" : "the header Authorization",
        next: needsSession ? "Log in at /login." : "Send one header Authorization: Bearer TOKEN.",
        ["www-authenticate": "Bearer"])
    }
    let next = request.method == "POST" ? Link() : request.link
    return .sent(to: Link("login", asking: ["next": next == Link() ? nil : next.text]))
  }
}

extension Response {
  /// Returns a redirect to a page.
  ///
  /// The browser requests the page with GET.
  static func sent(to place: Link, _ headers: [String: String] = [:]) -> Response {
    Response(
      status: 303, type: "text/plain; charset=utf-8", body: "See \(place.text)\n",
      headers: headers.merging(["location": place.text]) { own, _ in own })
  }
}
