#if HTTP
  import BatonPostgres
  import Foundation
  import TestSupport
  import Testing

  /// A schema with roles and a signing key, and the files that the `api` command needs.
  ///
  /// All tests of a product share one schema, and each test has its own users and groups.
  struct APIPlace: Sendable {
    let place: RolePlace
    let issuer: TestIssuer
    private let folder: TemporaryFolder

    private static let gymRats = Task { try await make("api") }
    private static let whosThere = Task {
      try await make("there_api", executable: try BatonProgram.path(of: "whosthere"))
    }

    /// Returns the place of `gymrats api`.
    static func made() async throws -> APIPlace { try await gymRats.value }

    /// Returns the place of `whosthere api`.
    static func there() async throws -> APIPlace { try await whosThere.value }

    /// Creates a place of `gymrats api` for one test, whose worker must not disturb other tests.
    static func own(_ name: String) async throws -> APIPlace { try await make(name) }

    private static func make(
      _ name: String, executable: String? = nil
    ) async throws -> APIPlace {
      let place = try await RolePlace.make(name, executable: executable)
      let superuser = try await RoleServer.connect()
      let key = try await superuser.atomically(in: place.schema, .rotateKey)
      await superuser.close()
      let folder = try TemporaryFolder()
      let issuer = TestIssuer(id: "first")
      let path = try folder.write("key", lines: ["\(key.id):\(key.text)"])
      try #require(chmod(path, 0o600) == 0)
      _ = try folder.write("keys.json", lines: [issuer.keys])
      _ = try secret(["first:\(sessionKey)"], "session-keys", in: folder)
      let made = APIPlace(place: place, issuer: issuer, folder: folder)
      _ = try made.write(issuers: made.entry(keys: "\(folder.path)/keys.json"))
      return made
    }

    /// The key that signs access tokens.
    static let sessionKey = String(repeating: "5e", count: 32)

    private static func secret(
      _ lines: [String], _ name: String, in folder: TemporaryFolder
    ) throws -> String {
      let path = try folder.write(name, lines: lines)
      try #require(chmod(path, 0o600) == 0)
      return path
    }

    /// Writes a file that only its owner may read, and returns its path.
    func write(secret lines: String..., to name: String) throws -> String {
      try Self.secret(lines, name, in: folder)
    }

    /// Returns an element of the issuers file.
    func entry(
      _ provider: String = "apple", issuer: String = "https://issuer.test", keys: String
    ) -> String {
      #"{"provider":"\#(provider)","issuer":"\#(issuer)","audience":["app"],"keys":"\#(keys)"}"#
    }

    /// Writes a file of issuers, and returns its path.
    func write(issuers entries: String..., to name: String = "issuers.json") throws -> String {
      try folder.write(name, lines: ["[\(entries.joined(separator: ","))]"])
    }

    /// Writes a file with a key set, and returns its path.
    func write(keys: String, to name: String) throws -> String {
      try folder.write(name, lines: [keys])
    }

    /// The program with its settings.
    var program: BatonProgram {
      get throws {
        var program = try place.gymrats(as: "authenticator")
        program.environment["BATON_API_HTTP"] = "127.0.0.1:0"
        program.environment["BATON_API_ISSUERS_FILE"] = "\(folder.path)/issuers.json"
        program.environment["BATON_API_KEY_FILE"] = "\(folder.path)/key"
        program.environment["BATON_API_SESSION_KEYS_FILE"] = "\(folder.path)/session-keys"
        program.environment["BATON_API_SIGN_IN_URL"] = try RoleServer.address(
          of: place.role("api"))
        return program
      }
    }

    /// Starts the server.
    func start(_ settings: [String: String] = [:]) async throws -> (TestProcess, APIClient) {
      var program = try program
      program.environment.merge(settings) { $1 }
      let server = try program.start("api")
      return (server, APIClient(http: try await server.httpClient()))
    }

    /// Runs the body with a server, which is killed afterwards.
    func with<R>(
      _ settings: [String: String] = [:], _ body: (TestProcess, APIClient) async throws -> R
    ) async throws -> R {
      let (server, client) = try await start(settings)
      defer { server.signal(SIGKILL) }
      return try await body(server, client)
    }
  }

  /// A phone's HTTP client, which uses a new connection for each request.
  struct APIClient: Sendable {
    let http: HTTPClient

    /// Sends a request, with a token and a JSON body if they are given.
    func send(
      _ method: String, _ path: String, as token: String? = nil, _ body: String? = nil,
      fields: [String] = []
    ) async throws -> HTTPClient.Answer {
      var lines = ["\(method) \(path) HTTP/1.1", "Host: api.test", "Connection: close"] + fields
      if let token { lines.append("Authorization: Bearer \(token)") }
      if let body {
        lines += ["Content-Type: application/json", "Content-Length: \(body.utf8.count)"]
      }
      return try await http.ask(lines.map { $0 + "\r\n" }.joined() + "\r\n" + (body ?? ""))
    }

    /// Sends a request that must succeed, and returns the fields of the response's object.
    @discardableResult
    func done(
      _ method: String, _ path: String, as token: String, _ body: String? = nil,
      fields: [String] = [], at location: SourceLocation = #_sourceLocation
    ) async throws -> [String: Any] {
      let answer = try await send(method, path, as: token, body, fields: fields)
      #expect(
        [200, 204].contains(answer.status), "\(method) \(path): \(answer.status) \(answer.body)",
        sourceLocation: location)
      return answer.object
    }

    /// Signs a user in, and returns the user's id.
    func signIn(_ token: String) async throws -> String {
      let user = try await done("POST", "/v1/sign-in", as: token, "{}")
      return try #require(user["id"] as? String)
    }

    /// Signs in a device of Who's There, and returns the session token and the user's id.
    func begin(
      _ provider: String, _ secret: String, at location: SourceLocation = #_sourceLocation
    ) async throws -> (token: String, user: String) {
      let answer = try await send(
        "POST", "/v1/sign-in", as: nil,
        #"{"provider":"\#(provider)","secret":"\#(secret)","device":"phone"}"#)
      #expect(answer.status == 200, "\(answer.body)", sourceLocation: location)
      let user = answer.object["user"] as? [String: Any]
      return (
        try #require(answer.object["token"] as? String), try #require(user?["id"] as? String)
      )
    }
  }

  extension HTTPClient.Answer {
    /// The fields of the body, or no fields if the body is not a JSON object.
    var object: [String: Any] {
      (try? JSONSerialization.jsonObject(with: Data(body.utf8))) as? [String: Any] ?? [:]
    }

    /// The status and the code of an error.
    var refusal: String { "\(status) \(object["code"] as? String ?? "?")" }
  }
#endif
