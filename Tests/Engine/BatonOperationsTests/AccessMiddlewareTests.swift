import BatonPostgres
import Foundation
import Logging
import TestSupport
import Testing

@testable import Baton
@testable import BatonOperations

/// Tests which requests the middleware admits, with every form of a host and a token.
@Suite struct AccessMiddlewareTests {
  private static let token = "0123456789abcdef"

  private func middleware(_ address: String = "127.0.0.1:8080", token: HTTPToken? = nil) throws
    -> AccessMiddleware
  {
    try .on(address, token: token)
  }

  private func status(
    _ middleware: AccessMiddleware, _ path: String = "/metrics", method: String = "GET",
    host: [String] = ["127.0.0.1:8080"], origin: [String] = [], shown: [String] = []
  ) -> Int {
    middleware.status(
      of: Request(
        method: method, path: path, hosts: host, origins: origin, authorizations: shown))
  }

  @Test(arguments: [
    "127.0.0.1", "127.0.0.1:8080", "localhost", "LocalHost:1", "[::1]:8080", "[::1]",
  ])
  func `a name of this machine is answered`(host: String) throws {
    #expect(try status(middleware(), host: [host]) == 200)
  }

  @Test(arguments: [
    ["evil.example"], ["127.0.0.1.evil.example"], ["localhost.evil.example:8080"], [],
    ["127.0.0.1", "evil.example"], ["localhost", "localhost"], [""], [":8080"], ["[::1]evil"],
    ["[::1"], ["evil@localhost"], ["localhost/"], [" localhost"],
  ])
  func `another host, none or two are refused, for health too`(host: [String]) throws {
    for path in ["/metrics", "/health/live", "/"] {
      #expect(try status(middleware(), path, host: host) == 421)
    }
  }

  @Test(arguments: ["10.0.0.7:8080", "localhost", "pod.example", "[fd00::7]:8080"])
  func `a probe of another machine may name any host, and nothing else may`(host: String) throws {
    let middleware = try middleware("0.0.0.0:8080", token: .text(Secret(Self.token)))
    for path in ["/health/ready", "/health/live"] {
      #expect(status(middleware, path, host: [host]) == 200)
      #expect(status(middleware, path, method: "POST", host: [host]) != 200)
    }
    for path in ["/metrics", "/", "/health/other", "/api/status"] {
      #expect(status(middleware, path, host: [host], shown: ["Bearer \(Self.token)"]) == 421)
    }
    let request = Request(
      method: "GET", path: "/health/ready", hosts: [host], origins: [], authorizations: [])
    #expect(!middleware.isOfKnownHost(request))
  }

  @Test func `a page from elsewhere is refused, and what is not a request`() throws {
    let middleware = try middleware()
    #expect(status(middleware, origin: ["http://localhost:8080"]) == 200)
    for origin in ["http://evil.example", "null", "https://localhost.evil.example"] {
      #expect(status(middleware, origin: [origin]) == 403)
    }
    for method in ["POST", "PUT", "DELETE", "OPTIONS", "TRACE", "get"] {
      #expect(status(middleware, "/health/live", method: method) == 405)
    }
  }

  @Test func `a token opens everything, and only the whole one does`() throws {
    let middleware = try middleware(token: .text(Secret(Self.token)))
    #expect(status(middleware, shown: ["Bearer \(Self.token)"]) == 200)
    #expect(status(middleware, shown: ["bearer \(Self.token)"]) == 200)
    var wrong = [
      "", "Bearer", "Bearer ", Self.token, "Basic \(Self.token)",
      "Bearer \(Self.token)\(Self.token)",
      "Bearer \(Self.token)0", "Bearer  \(Self.token)",
    ]
    for position in 0..<Self.token.count {
      var other = Array(Self.token)
      other[position] = "x"
      wrong.append("Bearer \(String(other))")
      wrong.append("Bearer \(Self.token.prefix(position))")
    }
    for shown in wrong { #expect(status(middleware, shown: [shown]) == 401, "\(shown)") }
    #expect(status(middleware, shown: []) == 401)
    #expect(status(middleware, shown: ["Bearer \(Self.token)", "Bearer \(Self.token)"]) == 401)
    // A client that may not read the health may not learn which pages exist.
    #expect(status(middleware, "/nothing") == 401)
    for path in ["/health/live", "/health/ready"] { #expect(status(middleware, path) == 200) }
    for path in ["/health/live/", "//health/live", "/health/live/../../metrics", "/Health/live"] {
      #expect(status(middleware, path) == 401)
    }
  }

  @Test func `a token's file is read again, and lets nobody in where it cannot be used`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("token", lines: [Self.token])
    chmod(path, 0o600)
    let middleware = try middleware(
      token: .file(PasswordFile(path, namedBy: "BATON_HTTP_TOKEN_FILE", holds: "token")))
    #expect(status(middleware, shown: ["Bearer \(Self.token)"]) == 200)
    let other = String(Self.token.reversed())
    _ = try folder.write("token", lines: [other])
    #expect(status(middleware, shown: ["Bearer \(Self.token)"]) == 401)
    #expect(status(middleware, shown: ["Bearer \(other)"]) == 200)
    chmod(path, 0o644)
    #expect(status(middleware, shown: ["Bearer \(other)"]) == 401)
    chmod(path, 0o600)
    _ = try folder.write("token", lines: ["short"])
    #expect(status(middleware, shown: ["Bearer short"]) == 401)
  }

  @Test(arguments: [
    ("127.0.0.1:8080", true), ("127.1.2.3:1", true), ("[::1]:8080", true), ("localhost:0", true),
    ("unix:/run/gymrats.sock", true), ("0.0.0.0:8080", false), ("[::]:8080", false),
    ("10.0.0.5:8080", false), ("[::ffff:127.0.0.1]:8080", false),
  ])
  func `an address says whether others reach it`(text: String, isOwn: Bool) throws {
    #expect(try #require(HTTPAddress(text)).isOfThisMachine == isOwn)
  }

  @Test(arguments: [
    "", "8080", ":8080", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:-1", "evil:80",
    "127.1:8080", "::1:8080", "[127.0.0.1]:80", "unix:", "unix:relative",
    "unix:/" + String(repeating: "x", count: 200), "127.0.0.1.evil:80",
  ])
  func `what is no address is none`(text: String) { #expect(HTTPAddress(text) == nil) }
}
