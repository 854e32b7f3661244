import BatonPostgres
import Foundation
import TestSupport
import Testing

/// Tests the possible places of a password, their order, and that the password is never printed.
@Suite(.timeLimit(.minutes(5)))
struct PasswordPlacesTests {
  private static let right = "right-canary-word"
  private static let wrong = "wrong-canary-word"
  /// The places in the order of docs/reference/secrets.md.
  private static let places = ["file", "credential", "address", "service", "variable", "pgpass"]

  /// Returns a program with passwords at all places from this number on.
  ///
  /// The first place has `first`, and the others another password.
  private func program(
    as role: String, from number: Int, first: String, folder: TemporaryFolder
  ) throws -> BatonProgram {
    let port = try TestServer.loopbackPort
    let other = first == Self.right ? Self.wrong : Self.right
    func word(_ place: String) -> String? {
      guard let index = Self.places.firstIndex(of: place), index >= number else { return nil }
      return index == number ? first : other
    }
    func write(_ name: String, _ text: String) throws -> String {
      let path = try folder.write(name, Array((text + "\n").utf8))
      try #require(chmod(path, 0o600) == 0)
      return path
    }
    var gymrats = BatonProgram(environment: ["PGPASSWORD": "", "BATON_SCHEMA": "never_made"])
    if let word = word("file") {
      gymrats.environment["BATON_PASSWORD_FILE"] = try write("file", word)
    }
    if let word = word("credential") {
      _ = try write("baton.password", word)
      gymrats.environment["CREDENTIALS_DIRECTORY"] = folder.path
    }
    let service = word("service").map { "\npassword=\($0)" } ?? ""
    gymrats.environment["PGSERVICEFILE"] = try write("services", "[s]\nport=\(port)" + service)
    if let word = word("variable") { gymrats.environment["PGPASSWORD"] = word }
    gymrats.environment["PGPASSFILE"] = try write(
      "pgpass", "*:*:*:\(role):" + (word("pgpass") ?? "nothing"))
    let own = word("address").map { ":" + $0 } ?? ""
    gymrats.environment["DATABASE_URL"] = "postgresql://\(role)\(own)@127.0.0.1/postgres?service=s"
    return gymrats
  }

  @Test(arguments: places.indices)
  func `the first place that has a password is the one that counts`(number: Int) async throws {
    try await withRole(password: Self.right) { role in
      let folder = try TemporaryFolder()
      // If the login succeeds, the schema is missing. Otherwise, the error says that the password
      // is wrong.
      let right = try await program(as: role, from: number, first: Self.right, folder: folder)
        .run("jobs")
      #expect(right.status == 78, "\(Self.places[number]): \(right.errors)")
      let wrong = try await program(as: role, from: number, first: Self.wrong, folder: folder)
        .run("jobs")
      #expect(wrong.status == 77, "\(Self.places[number]): \(wrong.errors)")
      #expect(wrong.errors.contains("password authentication failed"))
      for word in [Self.right, Self.wrong] {
        #expect(!(right.errors + wrong.errors + right.output + wrong.output).contains(word))
      }
    }
  }

  @Test func `a password that others may read is none, in three lines`() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("baton.password", lines: [Self.right])
    try #require(chmod(file, 0o644) == 0)
    let address = try TestServer.address
    for (variable, value, name) in [
      ("BATON_PASSWORD_FILE", file, "BATON_PASSWORD_FILE"),
      ("CREDENTIALS_DIRECTORY", folder.path, "the credential baton.password"),
    ] {
      let gymrats = BatonProgram(environment: ["DATABASE_URL": address, variable: value])
      for command in ["jobs", "worker"] {
        let ended = try await gymrats.run(command)
        expectComplaint(
          ended, status: 77, what: "may use the password file (mode 644)",
          place: "\(file) (\(name))", next: "chmod 600 \(file)")
        #expect(!ended.errors.contains(Self.right))
      }
    }
    let gone = BatonProgram(environment: [
      "DATABASE_URL": address, "BATON_PASSWORD_FILE": folder.path + "/gone",
    ])
    expectComplaint(
      try await gone.run("jobs"), status: 77, what: "No such file", place: "/gone",
      next: "mode 600")
  }

  @Test func `a folder of other credentials is no reason to stop`() async throws {
    let folder = try TemporaryFolder()
    try await TestSchema.with { test in
      var gymrats = test.gymrats
      gymrats.environment["CREDENTIALS_DIRECTORY"] = folder.path
      try await gymrats.succeed("migrate")
      let jobs = try await gymrats.succeed("jobs")
      #expect(jobs.contains("recompute-ranks"))
    }
  }

  // MARK: Among the arguments

  @Test(arguments: [
    ["worker", "postgresql://app:hunter2@db.example/app"],
    ["postgres://app:hunter2@db/app", "jobs"],
    ["worker", "--database=postgresql://app:hun/ter2@db.example"],
    ["jobs", "DATABASE_URL=postgresql://app:hunter2@db"],
    ["worker", "host=db user=app password=hunter2"],
    ["worker", "--x=host=db password = 'hunter2'"],
    ["worker", "--password=hunter2"], ["worker", "--password", "hunter2"], ["PGPASSWORD=hunter2"],
    ["migrate", "postgresql://db/app?user=app&PassWord=hunter2"],
    ["worker", "--passwd", "hunter2"],
  ])
  func `a password among the arguments is refused and not repeated`(
    arguments: [String]
  ) async throws {
    let ended = try await BatonProgram().start(arguments).wait()
    expectComplaint(
      ended, status: 64, what: "password", place: "argument ", next: "BATON_PASSWORD_FILE")
    for part in ["hunter2", "ter2", "app"] {
      #expect(!ended.errors.replacing("BATON_PASSWORD_FILE", with: "").contains(part))
    }
  }

  @Test(arguments: [
    ["enqueue", "no-such-job", "--key", "reset-password"], ["board", "passwords"],
    ["board", "postgresql://db.example:5432/app"], ["board", "https://u:p@example.org"],
  ])
  func `words that only sound like one are not`(arguments: [String]) async throws {
    try await TestSchema.with { test in
      let ended = try await test.gymrats.start(arguments).wait()
      #expect(!ended.errors.contains("among the arguments"), "\(ended.errors)")
      #expect([64, 66].contains(ended.status))
    }
  }
}

/// Calls the body with a role that may log in over loopback with a password.
func withRole(password: String, _ body: (String) async throws -> Void) async throws {
  let connection = try await Connection.open(
    ConnectionConfiguration(address: try TestServer.address))
  let role = "role_\(UInt64.random(in: .min ... .max))"
  func run(_ text: String) async throws {
    try await connection.script(Statement("test/role", text))
  }
  try await run("create role \(role) login superuser password '\(password)'")
  let result: Result<Void, any Error>
  do { result = .success(try await body(role)) } catch { result = .failure(error) }
  try await run("drop owned by \(role) cascade")
  try await run("drop role \(role)")
  await connection.close()
  try result.get()
}
