import BatonPostgres
import Foundation
import TestSupport
import Testing

@testable import Baton
@testable import BatonOperations

/// Tests who is signed in, for how long, and which values a form must contain.
@Suite struct SessionTests {
  private static let host = "127.0.0.1:8080"

  /// A hash that does not match any password.
  private static let hash = PasswordHash(
    cost: .standard, salt: Array(repeating: 1, count: 16), hash: Array(repeating: 2, count: 32))

  private func users(_ lines: String...) throws -> (HTTPUsers, TemporaryFolder, String) {
    let folder = try TemporaryFolder()
    let path = try folder.write("users", lines: lines)
    try #require(chmod(path, 0o600) == 0)
    return (HTTPUsers(PasswordFile(path, namedBy: "BATON_HTTP_PASSWORD_FILE")), folder, path)
  }

  private func request(
    _ path: String = "/", method: String = "GET", _ change: (inout Request) -> Void = { _ in }
  ) -> Request {
    var request = Request(method: method, path: path, hosts: [Self.host])
    change(&request)
    return request
  }

  private func form(_ request: inout Request, _ text: String) {
    request.contentTypes = ["application/x-www-form-urlencoded"]
    request.body = Array(text.utf8)
  }

  @Test func `each line of the file has a name and a hash`() throws {
    let hash = Self.hash
    let (users, folder, path) = try users("anna:\(hash)", "", "bert:\(hash)")
    #expect(try users.hashes() == ["anna": hash, "bert": hash])
    #expect(PasswordHash("\(hash)") == hash)
    for lines in [
      ["correct horse battery"], ["anna:correct horse battery"], [":\(hash)"], ["a b:\(hash)"],
      ["anna:\(hash)", "anna:\(hash)"], ["anna:\(hash)x$"],
      ["anna:$scrypt$ln=30,r=8,p=1$AAAA$AAAA"],
      ["anna:$argon2id$v=19$m=65536,t=3,p=4$c29tZXNhbHQ$aGFzaA"],
    ] {
      _ = try folder.write("users", lines: lines)
      #expect(throws: Complaint.self, "\(lines)") { try users.hashes() }
    }
    _ = try folder.write("users", lines: ["carl:\(hash)"])
    #expect(try users.hashes() == ["carl": hash])
    chmod(path, 0o644)
    #expect(throws: PostgresError.self) { try users.hashes() }
  }

  @Test func `without a session a person is led to where one begins, and a program is refused`()
    throws
  {
    let (users, folder, _) = try users("anna:\(Self.hash)")
    defer { withExtendedLifetime(folder) {} }
    let middleware = try AccessMiddleware.on(users: users)
    let asked = request("/runs") { $0.query = ["job": ["a&b"], "state": ["dead"]] }
    guard case .refused(let response) = middleware.admit(asked) else {
      Issue.record("it was let in")
      return
    }
    #expect(response.status == 303)
    #expect(response.headers["location"] == "/login?next=%2Fruns%3Fjob%3Da%2526b%26state%3Ddead")
    #expect(middleware.status(of: request("/login")) == 200)
    #expect(middleware.status(of: request("/assets/x")) == 200)
    for path in ["/metrics", "/api/status", "/api/runs", "/events"] {
      #expect(middleware.status(of: request(path)) == 401)
    }
    // A request by a page's script gets the response that no session exists.
    #expect(middleware.status(of: request("/runs") { $0.fetchModes = ["cors"] }) == 401)
    // If the server has no token, no request is admitted by a token.
    #expect(middleware.status(of: request { $0.authorizations = ["Bearer x"] }) == 401)
  }

  @Test func `a session's cookie lets in, and its forms hold what no other page knows`() throws {
    let (users, folder, _) = try users("anna:\(Self.hash)")
    defer { withExtendedLifetime(folder) {} }
    let middleware = try AccessMiddleware.on(users: users)
    let key = middleware.sessions.begin(for: "anna", with: Self.hash)
    let cookies = [middleware.sessions.cookie: key]
    let principal = try #require(middleware.principal(of: request { $0.cookies = cookies }))
    #expect(principal.name == "anna")
    let token = try #require(principal.formToken?.text)
    let other = RandomToken().text
    func post(_ change: (inout Request) -> Void) -> Int {
      middleware.status(
        of: request("/act/retry", method: "POST") {
          $0.cookies = cookies
          change(&$0)
        })
    }
    #expect(post { form(&$0, "csrf=\(token)&run=1") } == 200)
    #expect(post { $0.forgeryTokens = [token] } == 200)
    // The body of a form that is too long is not read, and neither is its token.
    #expect(post { $0.isBodyTooLong = true } == 413)
    let long = request("/api/runs/1/retry", method: "POST") {
      ($0.cookies, $0.forgeryTokens, $0.isBodyTooLong) = (cookies, [token], true)
    }
    #expect(middleware.status(of: long) == 200)
    #expect(post { form(&$0, "run=1") } == 403)
    #expect(post { form(&$0, "csrf=\(other)") } == 403)
    #expect(post { form(&$0, "csrf=") } == 403)
    #expect(post { form(&$0, "csrf=\(token.dropLast())") } == 403)
    // A form with another content type, which a page on another site could send.
    #expect(
      post {
        form(&$0, "csrf=\(token)")
        $0.contentTypes = ["text/plain"]
      } == 403)
    for site in ["cross-site", "same-site", "none", ""] {
      #expect(
        post {
          form(&$0, "csrf=\(token)")
          $0.fetchSites = [site]
        } == 403, "\(site)")
    }
    // The form comes from another program of this machine.
    for origin in ["http://127.0.0.1:3000", "http://localhost:8080", "http://127.0.0.1", "null"] {
      #expect(
        post {
          form(&$0, "csrf=\(token)")
          $0.origins = [origin]
        } == 403, "\(origin)")
    }
    #expect(
      post {
        form(&$0, "csrf=\(token)")
        $0.origins = ["http://127.0.0.1:8080"]
        $0.fetchSites = ["same-origin"]
      } == 200)
    // A valid cookie does not compensate for a wrong token.
    #expect(
      middleware.status(
        of: request {
          $0.cookies = cookies
          $0.authorizations = ["Bearer \(other)"]
        }) == 401)
    middleware.sessions.end(key)
    #expect(middleware.principal(of: request { $0.cookies = cookies }) == nil)
    #expect(post { form(&$0, "csrf=\(token)") } != 200)
  }

  @Test func `who need show nothing changes nothing without a form of ours`() throws {
    let middleware = try AccessMiddleware.on()
    let principal = try #require(middleware.principal(of: request()))
    #expect(principal.kind == .anonymous)
    let token = try #require(principal.formToken?.text)
    #expect(middleware.status(of: request("/act/retry", method: "POST")) == 403)
    #expect(
      middleware.status(of: request("/act/retry", method: "POST") { form(&$0, "csrf=\(token)") })
        == 200)
    #expect(try AccessMiddleware.on().principal(of: request())?.formToken != principal.formToken)
  }

  @Test func `a session ends by itself, sooner when nobody uses it`() {
    let sessions = Sessions()
    let now = ContinuousClock.now
    func person(_ key: String, behind hours: Double, isUse: Bool = true) -> String? {
      sessions.session(key, isUse: isUse, at: now + .seconds(hours * 3_600))?.person
    }
    let idle = sessions.begin(for: "idle", with: Self.hash, at: now)
    #expect(person(idle, behind: 0.9, isUse: false) == "idle")
    // The automatic updates of a page do not extend a session.
    #expect(person(idle, behind: 1.1) == nil)
    #expect(person(idle, behind: 0) == nil)
    let busy = sessions.begin(for: "busy", with: Self.hash, at: now)
    for hour in 1...23 {
      #expect(person(busy, behind: Double(hour) / 2) == "busy")
    }
    #expect(person(busy, behind: 12.1) == nil)
    #expect(sessions.session("") == nil)
    // If there are more than the maximum, the session that was idle for the longest time ends.
    let first = sessions.begin(for: "first", with: Self.hash, at: now)
    for number in 1...Sessions.most {
      _ = sessions.begin(for: "\(number)", with: Self.hash, at: now + .seconds(number))
    }
    #expect(person(first, behind: 0.5) == nil)
  }

  @Test func `a session ends with the line of its user, and with a changed password`() throws {
    let (users, folder, _) = try users("anna:\(Self.hash)", "bert:\(Self.hash)")
    let middleware = try AccessMiddleware.on(users: users)
    let key = middleware.sessions.begin(for: "anna", with: Self.hash)
    let asked = request { $0.cookies = [middleware.sessions.cookie: key] }
    #expect(middleware.principal(of: asked)?.name == "anna")
    let other = PasswordHash(cost: .standard, salt: Self.hash.salt, hash: Self.hash.salt)
    for lines in [["bert:\(Self.hash)"], ["anna:\(other)"], ["unreadable"]] {
      _ = try folder.write("users", lines: lines)
      #expect(middleware.principal(of: asked) == nil, "\(lines)")
    }
    _ = try folder.write("users", lines: ["anna:\(Self.hash)"])
    #expect(middleware.principal(of: asked)?.name == "anna")
  }

  @Test func `a page of another site reads nothing, except by a navigation of the window`() throws {
    let middleware = try AccessMiddleware.on()
    func status(
      _ path: String, _ site: String, _ mode: String? = nil, _ destination: String? = nil
    ) -> Int {
      middleware.status(
        of: request(path) {
          $0.fetchSites = [site]
          $0.fetchModes = mode.map { [$0] } ?? []
          $0.fetchDestinations = destination.map { [$0] } ?? []
        })
    }
    for path in ["/", "/runs", "/metrics", "/api/status", "/events", "/assets/baton.css"] {
      for site in ["cross-site", "same-site"] {
        #expect(status(path, site) == 403)
        #expect(status(path, site, "no-cors", "image") == 403)
        #expect(status(path, site, "navigate", "iframe") == 403)
        #expect(status(path, site, "navigate", "document") == 200)
      }
      for site in ["same-origin", "none"] { #expect(status(path, site) == 200) }
    }
    #expect(status("/health/ready", "cross-site", "no-cors", "image") == 200)
  }

  @Test func `an address has ten attempts, and a success restores none`() {
    let limiter = LoginLimiter()
    let now = ContinuousClock.now
    for number in 0..<10 { #expect(limiter.take("\(number)", from: "10.0.0.1", at: now) == nil) }
    limiter.succeeded("0", from: "10.0.0.1")
    #expect(limiter.take("0", from: "10.0.0.1", at: now) == 3)
    #expect(limiter.take("x", from: "10.0.0.1", at: now + .seconds(2)) == 1)
    #expect(limiter.take("x", from: "10.0.0.1", at: now + .seconds(3)) == nil)
    #expect(limiter.take("x", from: "10.0.0.1", at: now + .seconds(3)) == 3)
    // The limit of one address does not affect other addresses.
    #expect(limiter.take("x", from: "10.0.0.2", at: now + .seconds(3)) == nil)
    // After any time without attempts, ten attempts are available.
    let later = now + .seconds(10_000)
    for _ in 0..<10 { #expect(limiter.take("x", from: "10.0.0.1", at: later) == nil) }
    #expect(limiter.take("x", from: "10.0.0.1", at: later) == 3)
  }

  @Test func `a flood from one address does not lock out a user at another address`() {
    let limiter = LoginLimiter()
    let now = ContinuousClock.now
    // For one minute, a client tries every 10 ms. The limiter admits 10 attempts and then one every
    // 3 s.
    var guesses = 0
    for number in 0..<6_000
    where
      limiter.take("anna", from: "10.0.0.1", at: now + .milliseconds(10 * number)) == nil
    {
      guesses += 1
    }
    #expect(guesses == 29)
    #expect(limiter.take("anna", from: "10.0.0.2", at: now + .seconds(60)) == nil)
  }

  @Test func `a flood from many addresses does not lock out a user at a known address`() {
    let limiter = LoginLimiter()
    let now = ContinuousClock.now
    limiter.succeeded("anna", from: "10.9.9.9")
    let guesses = (0..<20_000).filter { number in
      limiter.take("anna", from: "10.0.\(number / 250).\(number % 250)", at: now) == nil
    }.count
    #expect(guesses == 30)
    #expect(limiter.take("anna", from: "10.9.9.9", at: now) == nil)
    #expect(limiter.take("anna", from: "10.9.9.8", at: now) == 1)
    // A client may own a whole network of IPv6 addresses, so all addresses of the network count as
    // one.
    let six = (0..<100).filter { limiter.take("bert", from: "2001:db8:1:2::\($0)", at: now) == nil }
    #expect(six.count == 10)
  }

  @Test func `only a trusted proxy says which client sends a request`() throws {
    let proxies = try TrustedProxies(["10.1.0.0/16", "fd00::1", "unix"])
    for (peer, forwarded, client) in [
      ("203.0.113.9", ["198.51.100.1"], "203.0.113.9"),
      ("10.1.2.3", ["198.51.100.1"], "198.51.100.1"),
      ("10.1.2.3", ["6.6.6.6, 198.51.100.1"], "198.51.100.1"),
      ("10.1.2.3", ["6.6.6.6", "198.51.100.1,10.1.9.9"], "198.51.100.1"),
      ("::ffff:10.1.2.3", ["198.51.100.1"], "198.51.100.1"),
      ("unix", ["2001:db8::7"], "2001:db8::7"), ("fd00::1", [], "fd00::1"),
      ("10.1.2.3", ["forged"], "10.1.2.3"), ("10.1.2.3", ["10.0.0.0/8"], "10.1.2.3"),
      ("10.2.2.3", ["198.51.100.1"], "10.2.2.3"),
    ] {
      #expect(proxies.client(of: peer, forwarded: forwarded) == client, "\(peer) \(forwarded)")
    }
    #expect(try TrustedProxies([]).client(of: "unix", forwarded: ["1.2.3.4"]) == "unix")
    for text in ["10.0.0.0/33", "10.0.0", "proxy.example", "10.0.0.0/-1", "/8", ""] {
      #expect(throws: TrustedProxies.Malformed.self, "\(text)") { try TrustedProxies([text]) }
    }
  }

  @Test(arguments: [
    ("/runs?state=dead", "/runs?state=dead"), ("//evil.example", "/evil.example"),
    ("https://evil.example", "/"), ("/\\evil.example", "/%5Cevil.example"), ("", "/"),
    ("/\r\nset-cookie: a=b", "/%0D%0Aset-cookie%3A%20a%3Db"), ("javascript:alert(1)", "/"),
    ("/%2F%2Fevil.example", "/%2F%2Fevil.example"),
  ])
  func `behind a sign-in a page of ours comes and nothing else`(next: String, place: String) {
    #expect(SignIn.link(next).text == place)
  }
}
