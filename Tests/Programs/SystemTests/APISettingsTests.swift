#if HTTP
  import Foundation
  import TestSupport
  import Testing

  /// Tests the messages of `gymrats api` if it cannot start, and the issuer whose subjects are
  /// users.
  @Suite(.timeLimit(.minutes(5))) struct APISettingsTests {
    @Test(.sampled()) func `a server that could not answer requests does not start`()
      async throws
    {
      let place = try await APIPlace.made()
      let folder = try TemporaryFolder()
      let key = try folder.write("key", lines: ["1:\(String(repeating: "ab", count: 32))"])
      let malformed = try folder.write("malformed", lines: ["key"])
      for path in [key, malformed] { try #require(chmod(path, 0o600) == 0) }
      let open = try folder.write("open", lines: ["1:\(String(repeating: "ab", count: 32))"])
      try #require(chmod(open, 0o644) == 0)
      let keys = place.entry(keys: "https://issuer.test/keys")
      let issuers = [
        ("no list", "{}"), ("has several issuers", "[\(keys),\(keys)]"),
        ("an https URL", "[\(place.entry(keys: "http://issuer.test/keys"))]"),
        ("the absolute path of a file", "[\(place.entry(keys: "keys.json"))]"),
        ("is not one of the providers", "[\(place.entry("other", keys: "https://a.test"))]"),
        (
          "must be the only one",
          "[\(keys),\(place.entry("users", issuer: "https://b.test", keys: "https://b.test"))]"
        ),
        (
          "have the same issuer", "[\(keys),\(place.entry("google", keys: "https://b.test"))]"
        ),
      ]
      var cases: [(String, String, Int32, String)] = [
        ("BATON_API_HTTP", "0.0.0.0:1", 64, "Other machines can reach"),
        ("BATON_API_HTTP", "example.org:1", 64, "is not an address"),
        ("BATON_API_ISSUERS_FILE", "", 64, "is not set"),
        ("BATON_API_ISSUERS_FILE", "/nowhere", 66, "cannot be read"),
        ("BATON_API_KEY_FILE", "", 64, "is not set"),
        ("BATON_API_KEY_FILE", key, 78, "signing key"),
        ("BATON_API_KEY_FILE", malformed, 77, "does not hold one line ID:KEY"),
        ("BATON_API_KEY_FILE", open, 77, "others than its owner"),
        ("BATON_API_SIGN_IN_URL", "", 64, "is not set"),
        (
          "BATON_API_SIGN_IN_URL", try RoleServer.address(of: place.place.role("dashboard")), 77,
          "A login may not do"
        ),
        ("BATON_API_CONNECTIONS", "0", 64, "from 1 to 100"),
        ("BATON_API_USER_LIMIT", "many", 64, "is not a number"),
        ("BATON_API_ADDRESS_CONNECTIONS", "0", 64, "from 1 to 12288"),
        ("BATON_API_SESSION_SECONDS", "0", 64, "from 1 to 3600"),
        ("BATON_API_SESSION_KEYS_FILE", malformed, 77, "a line of the session key file"),
        ("BATON_API_SESSION_KEYS_FILE", open, 77, "others than its owner"),
        ("BATON_API_USER_STREAMS", "0", 64, "from 1 to 10000"),
        ("BATON_API_HEARTBEAT", "61", 64, "from 1 to 60"),
        ("BATON_API_USER_ROLE", "nobody", 78, "has no roles"),
        ("BATON_SCHEMA", "other", 78, "has no roles"),
      ]
      for (number, (what, text)) in issuers.enumerated() {
        cases.append(
          (
            "BATON_API_ISSUERS_FILE", try folder.write("\(number).json", lines: [text]), 64,
            number == 0 ? "not a JSON list" : what
          ))
      }
      for (name, value, status, what) in cases {
        var program = try place.program
        program.environment[name] = value
        let ended = try await program.run("api")
        expectComplaint(ended, status: status, what: what)
      }
    }

    @Test func `the server raises its limit of open files, and does not start with too few files`()
      async throws
    {
      let place = try await APIPlace.made()
      let environment = try place.program.environment
      let shell = BatonProgram(executable: "/bin/sh", environment: environment)
      let gymrats = try BatonProgram.path(of: "gymrats")
      let script = #"ulimit "$1" 1024 && exec "$0" api"#
      expectComplaint(
        try await shell.run("-c", script, gymrats, "-n"), status: 78,
        what: "may open only 1024 files, and the API needs 12800",
        place: "ulimit -Hn", next: "LimitNOFILE=16384")
      let server = try shell.start("-c", script, gymrats, "-Sn")
      defer { server.signal(SIGKILL) }
      let client = APIClient(http: try await server.httpClient())
      #expect(try await client.send("GET", "/health/live").status == 200)
      let limits = try String(contentsOfFile: "/proc/\(server.id)/limits", encoding: .utf8)
      #expect(limits.contains(#/Max open files +12800 /#), "\(limits)")
    }

    @Test(.sampled())
    func `a login that cannot connect is named with the exit code of other commands`()
      async throws
    {
      let place = try await APIPlace.made()
      let away = "postgresql://ann@127.0.0.1:1/app"
      let unknown = try RoleServer.address(of: "no_such_login")
      let cases: [(String, Int32, String)] = [
        (away, 69, "[08001]"), (unknown, 77, "does not exist"),
        ("postgresql://ann@/app?port=x", 64, "[22023]"),
      ]
      for name in ["DATABASE_URL", "BATON_API_SIGN_IN_URL"] {
        for (address, status, what) in cases {
          var program = try place.program
          program.environment[name] = address
          let ended = try await program.run("api")
          expectComplaint(ended, status: status, what: what, place: name)
        }
      }
    }

    @Test func `the example of the package has only settings of the API`() async throws {
      let folder = try TemporaryFolder()
      let example = try ExampleProgram.text("Sources/Tools/Debian/api.conf")
        .replacing("@PROGRAM@", with: "gymrats")
        .replacing("/etc/gymrats", with: folder.path)
      let file = try folder.write("api.conf", lines: [example])
      let program = BatonProgram(environment: [:], folder: folder.path)
      // The issuers are the first file that the command reads after the settings.
      expectComplaint(
        try await program.run("api", "--config", file), status: 66,
        what: "The file of issuers cannot be read", place: "\(folder.path)/issuers.json")
    }

    @Test func `the signing key may be a credential of systemd`() async throws {
      let place = try await APIPlace.made()
      let folder = try TemporaryFolder()
      let key = try place.program.environment["BATON_API_KEY_FILE"] ?? ""
      try FileManager.default.copyItem(atPath: key, toPath: "\(folder.path)/baton.api-key")
      try await place.with([
        "BATON_API_KEY_FILE": "", "CREDENTIALS_DIRECTORY": folder.path,
      ]) { _, client in
        let ready = try await client.send("GET", "/health/ready")
        #expect(ready.status == 200)
      }
    }

    @Test func `a password that the server refuses is named with its setting`() async throws {
      let place = try await APIPlace.made()
      try await withRole(password: "right") { role in
        var program = try place.program
        program.environment["BATON_API_SIGN_IN_URL"] =
          "postgresql://\(role):wrong@127.0.0.1:\(try TestServer.loopbackPort)/postgres"
        expectComplaint(
          try await program.run("api"), status: 77, what: "password authentication failed",
          place: "BATON_API_SIGN_IN_URL", next: "Check the user in BATON_API_SIGN_IN_URL")
      }
    }

    @Test(.sampled()) func `a login with more rights than the calls of users need is refused`()
      async throws
    {
      let place = try await APIPlace.made()
      let (user, owner) = (place.place.role("user"), place.place.role("owner"))
      let (bypassing, owning) = (RoleServer.name("bypassing"), RoleServer.name("owning"))
      try await RoleServer.administer(
        "create role \(bypassing) login bypassrls in role \(user)",
        "create role \(owning) login in role \(user), \(owner)")
      for name in ["DATABASE_URL", "BATON_API_SIGN_IN_URL"] {
        for (login, what) in [
          ("postgres", "is a superuser"), (bypassing, "bypasses row-level security"),
          (owning, "has the rights of the schema's owner"),
        ] {
          var program = try place.program
          program.environment[name] = try RoleServer.address(of: login)
          let ended = try await program.run("api")
          expectComplaint(
            ended, status: 78, what: "The login \(login) \(what)",
            place: "schema \(place.place.schema)", next: "_authenticator with DATABASE_URL")
        }
      }
      var program = try place.program
      program.environment["BATON_API_SIGN_IN_URL"] = try RoleServer.address(
        of: place.place.role("authenticator"))
      expectComplaint(
        try await program.run("api"), status: 77, what: "may not use the schema")
      try await RoleServer.administer("drop role \(bypassing)", "drop role \(owning)")
    }

    @Test(.sampled()) func `an only issuer may name the users themselves`() async throws {
      let place = try await APIPlace.made()
      let ann = try await place.issuer.token("settings-ann")
      let id = try await place.with { _, client in try await client.signIn(ann) }
      let keys = try place.write(keys: place.issuer.keys, to: "users-keys.json")
      let issuers = try place.write(
        issuers: place.entry("users", keys: keys), to: "users.json")
      try await place.with(["BATON_API_ISSUERS_FILE": issuers]) { _, client in
        let token = try await place.issuer.token(id)
        #expect(try await client.done("GET", "/v1/me", as: token)["id"] as? String == id)
        #expect(try await client.signIn(token) == id)
        for path in ["/v1/me", "/v1/groups/x"] {
          #expect(try await client.send("GET", path, as: ann).refusal == "401 notAuthenticated")
        }
        #expect(try await client.send("POST", "/v1/sign-in", as: ann, "{}").status == 401)
      }
    }
  }
#endif
