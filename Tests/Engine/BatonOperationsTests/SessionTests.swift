import BatonPostgres
import Foundation
import TestSupport
import Testing

@testable import Baton
@testable import BatonOperations

/// Who is signed in, for how long, and what a form has to show.
@Suite struct SessionTests {
  private static let host = "127.0.0.1:8080"

  private func password(_ lines: String...) throws -> (HTTPPassword, TemporaryFolder, String) {
    let folder = try TemporaryFolder()
    let path = try folder.write("passwords", lines: lines)
    try #require(chmod(path, 0o600) == 0)
    return (HTTPPassword(PasswordFile(path, namedBy: "BATON_HTTP_PASSWORD_FILE")), folder, path)
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

  @Test func `a person is known by name and password, and a shared password by itself`() throws {
    let (password, folder, path) = try password("anna:correct horse", "bert:battery staple")
    defer { withExtendedLifetime(folder) {} }
    #expect(try password.person(named: "anna", showing: "correct horse") == "anna")
    #expect(try password.person(named: "bert", showing: "battery staple") == "bert")
    #expect(try password.person(named: "", showing: "bert:battery staple") == "bert")
    for (name, shown) in [
      ("anna", "battery staple"), ("anna", ""), ("", "correct horse"), ("anna", "correct hors"),
      ("anna", "correct horse "), ("Anna", "correct horse"), ("anna:correct horse", ""), ("", ""),
      ("anna:correct", " horse"), ("carl", "correct horse"),
    ] { #expect(try password.person(named: name, showing: shown) == nil, "\(name) \(shown)") }
    // Who writes the file changes the passwords.
    _ = try folder.write("passwords", lines: ["everybody has this"])
    #expect(try password.person(named: "", showing: "everybody has this") == "password")
    #expect(try password.person(named: "anna", showing: "correct horse") == nil)
    _ = try folder.write("passwords", lines: ["somebodywithalongname:short"])
    #expect(throws: Complaint.self) { try password.person(named: "", showing: "x") }
    chmod(path, 0o644)
    #expect(throws: PostgresError.self) { try password.person(named: "", showing: "x") }
  }

  @Test func `without a session a person is led to where one begins, and a program is refused`()
    throws
  {
    let (password, folder, _) = try password("anna:correct horse")
    defer { withExtendedLifetime(folder) {} }
    let middleware = try AccessMiddleware.on(password: password)
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
    // What a page asks by itself is told that there is no session.
    #expect(middleware.status(of: request("/runs") { $0.fetchModes = ["cors"] }) == 401)
    // No token lets anybody in where none is set.
    #expect(middleware.status(of: request { $0.authorizations = ["Bearer x"] }) == 401)
  }

  @Test func `a session's cookie lets in, and its forms hold what no other page knows`() throws {
    let (password, folder, _) = try password("anna:correct horse")
    defer { withExtendedLifetime(folder) {} }
    let middleware = try AccessMiddleware.on(password: password)
    let key = middleware.sessions.begin(for: "anna")
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
    #expect(post { form(&$0, "run=1") } == 403)
    #expect(post { form(&$0, "csrf=\(other)") } == 403)
    #expect(post { form(&$0, "csrf=") } == 403)
    #expect(post { form(&$0, "csrf=\(token.dropLast())") } == 403)
    // A form that is sent as something else, as a page from elsewhere could.
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
    // Another program of this machine.
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
    // A wrong token is not made good by a cookie.
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
    let idle = sessions.begin(for: "idle", at: now)
    #expect(person(idle, behind: 0.9, isUse: false) == "idle")
    // A page that keeps itself current is no use.
    #expect(person(idle, behind: 1.1) == nil)
    #expect(person(idle, behind: 0) == nil)
    let busy = sessions.begin(for: "busy", at: now)
    for hour in 1...23 {
      #expect(person(busy, behind: Double(hour) / 2) == "busy")
    }
    #expect(person(busy, behind: 12.1) == nil)
    #expect(sessions.session("") == nil)
    // More than there may be: the one that was idle for longest makes room.
    let first = sessions.begin(for: "first", at: now)
    for number in 1...Sessions.most {
      _ = sessions.begin(for: "\(number)", at: now + .seconds(number))
    }
    #expect(person(first, behind: 0.5) == nil)
  }

  @Test func `passwords are tried slowly, and the right one is never locked out`() {
    let limiter = LoginLimiter()
    let now = ContinuousClock.now
    for _ in 0..<10 { #expect(limiter.take(at: now) == nil) }
    #expect(limiter.take(at: now) == 3)
    #expect(limiter.take(at: now + .seconds(2)) == 1)
    #expect(limiter.take(at: now + .seconds(3)) == nil)
    #expect(limiter.take(at: now + .seconds(3)) == 3)
    limiter.reset()
    #expect(limiter.take(at: now + .seconds(3)) == nil)
    // However long nobody tried, no more than ten are there at once.
    for _ in 0..<10 { #expect(limiter.take(at: now + .seconds(10_000)) == nil) }
    #expect(limiter.take(at: now + .seconds(10_000)) == 3)
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
