import Baton
import CoreMetrics
import Logging

/// The login page and the logout.
struct SignIn: Sendable {
  let middleware: AccessMiddleware
  let shell: Shell
  private let limiter = LoginLimiter()

  init(_ middleware: AccessMiddleware, _ shell: Shell) {
    self.middleware = middleware
    self.shell = shell
  }

  /// Returns the response to `/login`, or nil if the server has no password login.
  func response(to request: Request) async -> Response? {
    guard let users = middleware.users else { return nil }
    let next = Self.link(request.query?["next"]?.first ?? request.field("next"))
    guard request.method == "POST" else { return page(next) }
    // An invalid name is replaced by an empty string, because the login limiter stores names and an
    // invalid name can be long.
    let name = request.field("name").flatMap { HTTPUsers.isName($0) ? $0 : nil } ?? ""
    if let wait = limiter.take(name, from: request.address) {
      LoginResult.limited.count()
      let notice = Notice(text: "Too many attempts: try again in \(wait) s.", tone: .critical)
      return page(next, status: 429, notice, ["retry-after": "\(wait)"])
    }
    do {
      let hash = try users.hashes()[name]
      let isRight = await middleware.verifier?.isRight(request.field("password") ?? "", for: hash)
      guard isRight == true, let hash else {
        LoginResult.failed.count()
        middleware.logger.warning(
          "HTTP: a sign-in failed",
          metadata: ["user": "\(name.prefix(64))", "from": "\(request.address)"])
        return page(next, status: 403, Notice(text: "Wrong name or password.", tone: .critical))
      }
      LoginResult.done.count()
      limiter.succeeded(name, from: request.address)
      let key = middleware.sessions.begin(for: name, with: hash)
      return .sent(to: next, ["set-cookie": cookie(key, request)])
    } catch {
      middleware.logger.warning("all sign-ins are refused: \(error)")
      let notice = Notice(
        text: "The password file cannot be used; the log has the reason.", tone: .critical)
      return page(next, status: 503, notice)
    }
  }

  /// Ends a principal's session.
  func end(for principal: Principal) -> Response {
    guard case .person(_, let key) = principal.kind else { return .sent(to: Link()) }
    middleware.sessions.end(key)
    return .sent(
      to: Link("login"),
      ["set-cookie": "\(middleware.sessions.cookie)=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0"]
    )
  }

  /// Returns the cookie, with the `Secure` attribute if the browser's `Origin` header contains
  /// https.
  ///
  /// A proxy's headers are not used, because any client could forge them.
  private func cookie(_ key: String, _ request: Request) -> String {
    let isSecure = request.origins.first?.hasPrefix("https://") ?? false
    return "\(middleware.sessions.cookie)=\(key); Path=/; HttpOnly; SameSite=Strict; "
      + "Max-Age=\(Int(Sessions.longest / .seconds(1)))\(isSecure ? "; Secure" : "")"
  }

  /// Returns the link to the page that the user sees after the login.
  ///
  /// For any input, the link's target is a page on this server.
  static func link(_ next: String?) -> Link {
    guard let next, next.hasPrefix("/"), next.count < 2_000 else { return Link() }
    let path = next.prefix { $0 != "?" }
    return Request(path: String(path), query: FormText.pairs(next.dropFirst(path.count + 1))).link
  }

  private func page(
    _ next: Link, status: Int = 200, _ notice: Notice? = nil, _ headers: [String: String] = [:]
  ) -> Response {
    let content = PageContent("Sign in", status: status) {
      tag("section", ["class": "sign-in"]) {
        tag("form", ["method": "post", "action": "/login"]) {
          tag("input", ["type": "hidden", "name": "next", "value": next.text])
          tag("label", ["for": "name"], "Name")
          tag("input", ["id": "name", "name": "name", "autocomplete": "username", "required": ""])
          tag("label", ["for": "password"], "Password")
          tag(
            "input",
            [
              "id": "password", "name": "password", "type": "password", "required": "",
              "autocomplete": "current-password",
            ])
          tag("button", ["class": "main"], "Sign in")
        }
      }
    }
    let response = shell.response(content, at: nil, for: nil, notice: notice, isLive: false)
    return Response(
      status: response.status, type: response.type, body: response.body,
      headers: response.headers.merging(headers) { _, new in new })
  }
}

/// The results of login attempts, which a metric counts.
private enum LoginResult: String {
  case done, failed, limited

  func count() {
    Counter(label: "baton_http_logins_total", dimensions: [("result", rawValue)]).increment()
  }
}
