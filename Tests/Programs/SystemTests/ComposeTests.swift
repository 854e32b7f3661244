import Foundation
import PrivateServer
import TestSupport
import Testing

/// Tests the scripts and logins of docker-compose.yml with PostgreSQL on this machine, without
/// containers.
@Suite(.timeLimit(.minutes(5))) struct ComposeTests {
  private static let scripts = Checkout.root.appending(path: "Sources/Tools/Compose").path

  /// A server that requires passwords on its port, and a folder with passwords.
  private struct Place {
    let folder: TemporaryFolder
    let server: PrivateServer
    let port: Int
    let socket: String

    init() async throws {
      folder = try TemporaryFolder()
      port = try Listener.unusedPort()
      let server = PrivateServer(
        directory: folder.path + "/server", settings: [("fsync", "off")], loopbackPort: port)
      self.server = server
      socket = try await blocking { try server.up() }.connectionString
      for name in ["setup", "worker", "dashboard", "authenticator", "api"] {
        try write("secret '\(name)\"", to: password(name))
      }
      try write("1:\(String(repeating: "5a", count: 32))", to: key)
      try write(#"[{"provider": "apple", "audience": ["com.example.app"]}]"#, to: issuers)
    }

    var key: String { folder.path + "/signing_key" }
    var issuers: String { folder.path + "/issuers.json" }

    private func write(_ text: String, to file: String) throws {
      try text.write(toFile: file, atomically: true, encoding: .utf8)
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
    }

    func password(_ name: String) -> String { "\(folder.path)/\(name)_password" }

    func run(
      _ script: String, _ arguments: [String] = [], _ environment: [String: String]
    ) async throws {
      let ended = try await TestProcess(
        "/bin/sh", ["\(ComposeTests.scripts)/\(script)"] + arguments,
        environment: environment.merging([
          "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin", "SECRETS": folder.path,
          "BATON_SCHEMA": "gymrats",
        ]) { own, _ in own }, directory: folder.path
      ).wait()
      try #require(ended.status == 0, "\(script): \(ended.errors)")
      #expect(ended.errors.isEmpty && !ended.output.contains("secret"))
    }

    func logins(_ moment: String) async throws {
      try await run("create-logins", [moment], ["PGHOST": "127.0.0.1", "PGPORT": "\(port)"])
    }

    func gymrats(as user: String, _ password: String) -> BatonProgram {
      BatonProgram(
        environment: [
          "DATABASE_URL": "postgresql://\(user)@127.0.0.1:\(port)/baton?sslmode=disable",
          "BATON_PASSWORD_FILE": self.password(password), "BATON_SCHEMA": "gymrats",
        ], folder: folder.path)
    }

    /// Returns the program with the settings of the service `api`.
    var api: BatonProgram {
      var program = gymrats(as: "gymrats_authenticator", "authenticator")
      program.environment.merge([
        "BATON_API_SIGN_IN_URL":
          "postgresql://gymrats_api@127.0.0.1:\(port)/baton?sslmode=disable",
        "BATON_API_SIGN_IN_PASSWORD_FILE": password("api"), "BATON_API_KEY_FILE": key,
        "BATON_API_ISSUERS_FILE": issuers, "BATON_HTTP_TRUSTED_PROXIES": "",
      ]) { _, own in own }
      return program
    }

    func rows(_ text: String) async throws -> String {
      try await TestProcess(
        "/usr/bin/env", ["psql", "-XAtc", text, socket],
        environment: ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin"],
        directory: folder.path
      ).wait().output
    }
  }

  @Test(.sampled()) func `the services start twice, with logins that are not superusers`()
    async throws
  {
    let place = try await Place()
    defer { try? place.server.destroy() }
    let host = try #require(place.socket.firstMatch(of: /host=([^&]*)/)).1.removingPercentEncoding
    try await place.run(
      "create-database", [],
      ["PGHOST": host ?? "", "PGPORT": "\(place.port)", "POSTGRES_USER": "postgres"])
    for start in 1...2 {
      try await place.logins("begin")
      // The second start begins as if the first one had ended before its last step.
      try await place.gymrats(as: "baton_setup", "setup").succeed("migrate")
      try await place.gymrats(as: "baton_setup", "setup").succeed("roles", "create")
      if start == 2 { try await place.logins("end") }
    }
    try await place.gymrats(as: "gymrats_worker", "worker").succeed("worker", "--until-idle")
    let status = try await place.gymrats(as: "gymrats_dashboard", "dashboard").run("status")
    #expect(status.status <= 1, "\(status.errors)")
    let wrong = try await place.gymrats(as: "gymrats_worker", "dashboard").run("status")
    #expect(wrong.status == 77, "\(wrong.errors)")
    #if HTTP
      let api = try place.api.start("api", "--http", "127.0.0.1:0", "--http-open")
      defer { api.signal(SIGKILL) }
      let ready = try await api.httpClient().get("/health/ready", ["Connection: close"])
      #expect(ready.status == 200, "\(api.errorsSoFar)")
    #endif
    // The login that prepared the schema no longer has the rights of the schema's owner.
    #expect(
      try await place.rows(
        "select pg_has_role('baton_setup', 'gymrats_owner', 'usage')") == "f\n")
    let superusers = try await place.rows(
      "select string_agg(rolname, ',') from pg_roles where rolsuper")
    #expect(superusers == "postgres\n")
    let checked = try await place.gymrats(as: "gymrats_worker", "worker").run("check")
    #expect(checked.status == 0, "\(checked.errors)")
  }

  @Test func `the file contains no password, exact tags, and no superuser but the server's own`()
    throws
  {
    let file = try Checkout.text("docker-compose.yml")
    let images = file.matches(of: /image: (?:&[a-z]+ )?"?([^"\n ]+)"?/).map { String($0.1) }
      .filter { !$0.hasPrefix("*") && !$0.contains("PROGRAM") }
    #expect(images.count == 2)
    let bases = try Checkout.text("Dockerfile").matches(of: /FROM ([^ \n]+)/).map { String($0.1) }
    for image in images + bases {
      #expect(image.firstMatch(of: /:v?[0-9]+\.[0-9]+/) != nil, "\(image)")
    }
    for match in file.matches(of: /postgresql:\/\/([^@\n]*)@/) {
      #expect(!match.1.hasPrefix("postgres") && !match.1.contains(/[a-z]:[^-]/), "\(match.1)")
    }
    #expect(!file.contains("POSTGRES_PASSWORD:"))
    for setting in ["BATON_API_KEY_FILE", "BATON_API_SIGN_IN_PASSWORD_FILE"] {
      #expect(file.contains("\(setting): /run/secrets/"))
    }
    let users = file.matches(of: /secrets: \[([^\]]*)\]/).map { String($0.1) }
    #expect(users.count { $0.contains("superuser") } == 1)
  }
}
