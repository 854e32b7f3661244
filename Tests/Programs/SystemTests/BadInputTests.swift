import BatonPostgres
import Foundation
import PrivateServer
import TestSupport
import Testing

/// Tests user mistakes: three parts on stderr, nothing on stdout, and an exit code for the kind of
/// mistake.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct BadInputTests {
  private static let commands = [
    ["migrate"], ["worker", "--until-idle"], ["board", "--all"], ["jobs"],
    ["replay", CheckInData.edges.path],
  ]

  private func gymrats(at address: String) -> BatonProgram {
    BatonProgram(environment: ["DATABASE_URL": address])
  }

  // MARK: - The server

  @Test(.sampled(), arguments: commands)
  func `without a server on the port`(command: [String]) async throws {
    let port = try Listener.unusedPort()
    let ended = try await gymrats(at: "postgresql://someone@127.0.0.1:\(port)/postgres")
      .start(command).wait()
    expectComplaint(
      ended, status: 69, what: "\(port)", place: "DATABASE_URL", next: "gymrats db up")
  }

  @Test func `without the folder of the socket`() async throws {
    let folder = try TemporaryFolder().path + "-gone"
    expectComplaint(
      try await gymrats(at: "postgresql:///postgres?host=\(folder)").run("jobs"), status: 69,
      what: folder, place: "DATABASE_URL", next: "Start the server")
  }

  @Test(.sampled()) func `without anything set and no private server`() async throws {
    let folder = try TemporaryFolder()
    for command in Self.commands {
      let ended = try await BatonProgram(folder: folder.path).start(command).wait()
      expectComplaint(
        ended, status: 69, what: "private server is not running", place: "PGHOST",
        next: "gymrats db up")
    }
  }

  @Test(.sampled()) func `with a wrong password, which is shown nowhere`() async throws {
    try await withRole { role in
      let address =
        try "postgresql://\(role):wrong-secret@127.0.0.1:\(TestServer.loopbackPort)/postgres"
      for command in Self.commands + [["worker"]] {
        let ended = try await gymrats(at: address).start(command).wait()
        expectComplaint(
          ended, status: 77, what: "password", place: "DATABASE_URL", next: "password")
        #expect(!(ended.errors + ended.output).contains("wrong-secret"))
      }
    }
  }

  @Test func `with no password where one is asked for`() async throws {
    try await withRole { role in
      let address = try "postgresql://\(role)@127.0.0.1:\(TestServer.loopbackPort)/postgres"
      expectComplaint(
        try await BatonProgram(environment: ["DATABASE_URL": address, "PGPASSWORD": ""])
          .run("jobs"), status: 77, what: "no password supplied", place: "DATABASE_URL",
        next: "PGPASSWORD")
    }
  }

  @Test(.sampled()) func `with the right password it works`() async throws {
    try await withRole { role in
      try await TestSchema.with(migrated: false) { schema in
        let address = try "postgresql://\(role)@127.0.0.1:\(TestServer.loopbackPort)/postgres"
        let gymrats = BatonProgram(environment: [
          "DATABASE_URL": address, "PGPASSWORD": "right-secret",
          "BATON_SCHEMA": schema.schema.name,
        ])
        let output = try await gymrats.succeed("migrate")
        #expect(output.contains("migrations applied"))
      }
    }
  }

  @Test(arguments: [
    "postgresql://someone:top-secret@[::1/db", "postgresql://someone:top-secret@host:port/db",
    "postgresql://someone:top-secret@host/db?nonsense=1",
    "postgresql://someone:top%zzsecret@host/db", "host=127.0.0.1 password=top-secret nonsense",
  ])
  func `with a malformed address, whose password is shown nowhere`(address: String) async throws {
    let ended = try await gymrats(at: address).run("jobs")
    expectComplaint(
      ended, status: 64, what: "", place: "DATABASE_URL", next: "Write postgresql://user")
    for secret in ["top-secret", "top%zzsecret"] {
      #expect(!(ended.errors + ended.output).contains(secret))
    }
  }

  @Test func `with a role that is not there`() async throws {
    let address = try TestServer.address.replacing("postgres@", with: "nobody_at_all@")
    // Waiting cannot correct this mistake, so a worker also ends.
    for command in ["jobs", "worker"] {
      expectComplaint(
        try await gymrats(at: address).run(command), status: 77, what: "nobody_at_all",
        place: "DATABASE_URL", next: "user")
    }
  }

  @Test func `with a database that is not there`() async throws {
    let address = try TestServer.address.replacing("@/postgres?", with: "@/no_such_database?")
    for command in ["jobs", "worker"] {
      expectComplaint(
        try await gymrats(at: address).run(command), status: 77, what: "no_such_database",
        place: "DATABASE_URL", next: "database's name")
    }
  }

  @Test(.sampled()) func `with a service that is not defined, or options that make no sense`()
    async throws
  {
    for (name, value, what) in [
      ("PGSERVICE", "no_such_service", "no_such_service"), ("PGPORT", "port", "\"port\""),
      ("PGSSLMODE", "maybe", "maybe"),
    ] {
      let gymrats = BatonProgram(environment: ["PGHOST": "127.0.0.1", name: value])
      for command in ["jobs", "worker"] {
        expectComplaint(
          try await gymrats.run(command), status: 64, what: what, place: "PG", next: "PGSERVICE")
      }
    }
  }

  @Test func `with a server that cannot prove who it is`() async throws {
    let address =
      try "postgresql://someone@127.0.0.1:\(TestServer.loopbackPort)/postgres?sslmode=require"
    // If this test runs alone, this line starts the server.
    _ = try TestServer.address
    for command in ["jobs", "worker"] {
      expectComplaint(
        try await gymrats(at: address).run(command), status: 69, what: "SSL", place: "DATABASE_URL",
        next: "prove its identity")
    }
  }

  @Test(.sampled(), arguments: commands + [["worker"]])
  func `with a server older than 15`(command: [String]) async throws {
    let folder = try TemporaryFolder()
    let server = try OldServer(version: "14.11", folder: folder.path)
    defer { server.stop() }
    let ended = try await gymrats(at: "postgresql://someone@/postgres?host=\(folder.path)")
      .start(command).wait()
    expectComplaint(
      ended, status: 78, what: "PostgreSQL 14", place: "DATABASE_URL", next: "version 15 or newer")
  }

  /// Calls the body with a role that may log in over loopback with `right-secret`.
  private func withRole(_ body: (String) async throws -> Void) async throws {
    try await TestSchema.with(migrated: false) { schema in
      let role = "role_\(UInt64.random(in: .min ... .max))"
      // The role is a superuser, so that it may read the same data as a worker.
      try await schema.sql("create role \(role) login superuser password 'right-secret'")
      do {
        try await body(role)
      } catch {
        try await schema.sql("drop owned by \(role) cascade")
        try await schema.sql("drop role \(role)")
        throw error
      }
      try await schema.sql("drop owned by \(role) cascade")
      try await schema.sql("drop role \(role)")
    }
  }
}
