import BatonPostgres
import Foundation
import TestSupport
import Testing

/// Tests commands with a server that temporarily refuses all logins or is read-only.
@Suite(.timeLimit(.minutes(5))) struct OutageCommandTests {
  /// Runs `body` with a role that owns GymRats in a separate database.
  private func with(
    _ body: (_ gymrats: BatonProgram, _ role: String, _ admin: (String) async throws -> Void)
      async throws -> Void
  ) async throws {
    let role = "outage_\(UInt32.random(in: .min ... .max))"
    try await OwnDatabase.with { address, connection in
      func admin(_ text: String) async throws {
        try await connection.script(Statement("test/admin", text))
      }
      try await admin("create role \(role) login")
      let result: Result<Void, any Error>
      do {
        let database = try await connection.sql("select current_database()", in: .standard)[0]
        try await admin("grant create on database \(database) to \(role)")
        let own = address.replacing("://postgres@", with: "://\(role)@")
        try #require(own != address)
        let gymrats = BatonProgram(environment: ["DATABASE_URL": own])
        try await gymrats.succeed("migrate")
        result = .success(try await body(gymrats, role, admin))
      } catch {
        result = .failure(error)
      }
      try await admin("drop owned by \(role) cascade; drop role \(role)")
      try result.get()
    }
  }

  @Test(.sampled())
  func `at a full connection limit a worker waits, and others may be tried again`()
    async throws
  {
    try await with { gymrats, role, admin in
      try await admin("alter role \(role) connection limit 0")
      for command in [["run", "close-week"], ["status"], ["worker", "--until-idle"], ["jobs"]] {
        let ended = try await gymrats.start(command).wait()
        #expect(ended.status == 75, "\(command) \(ended.errors)")
      }
      let worker = try gymrats.start("worker")
      defer { worker.signal(SIGKILL) }
      try await eventually("its word") { worker.errorsSoFar.contains("waiting for the server") }
      try await admin("alter role \(role) connection limit -1")
      try await eventually("a worker") { worker.errorsSoFar.contains("working schema") }
      worker.signal(SIGTERM)
      let ended = try await worker.wait(within: .seconds(20))
      #expect(ended.status == 0, "\(ended.errors)")
      #expect(ended.errors.split(separator: "\n").count { $0.contains("waiting") } == 1)
    }
  }

  @Test(.sampled())
  func `a server that only reads is said to, a worker waits, others may be tried again`()
    async throws
  {
    try await with { gymrats, role, admin in
      try await admin("alter role \(role) set default_transaction_read_only = on")
      let status = try await gymrats.run("status", "--workers", "0")
      #expect(status.status == 2, "\(status.errors)")
      #expect(status.output.contains("critical: The server only reads"), "\(status.output)")
      for command in [["migrate"], ["worker", "--until-idle"]] {
        let ended = try await gymrats.start(command).wait()
        #expect(ended.status == 75, "\(command) \(ended.errors)")
      }
      let serve = try gymrats.start("serve", "--http", "127.0.0.1:0")
      let worker = try gymrats.start("worker")
      defer {
        serve.signal(SIGKILL)
        worker.signal(SIGKILL)
      }
      try await eventually("its word") { worker.errorsSoFar.contains("25006") }
      let client = try await serve.httpClient()
      try await eventually("a server that only reads") {
        let ready = try await client.get("/health/ready")
        return ready.status == 503 && ready.body.contains(#""server":"only reads""#)
      }
      try await admin("alter role \(role) reset default_transaction_read_only")
      try await eventually("a worker") { worker.errorsSoFar.contains("working schema") }
      try await gymrats.start("status").end(with: 0)
      worker.signal(SIGTERM)
      #expect(try await worker.wait(within: .seconds(20)).status == 0)
    }
  }

  @Test(.sampled())
  func `a worker that may not write runs is reported by status and serve`() async throws {
    try await with { gymrats, role, admin in
      let serve = try gymrats.start("serve", "--http", "127.0.0.1:0")
      let worker = try gymrats.start("worker")
      defer {
        serve.signal(SIGKILL)
        worker.signal(SIGKILL)
      }
      let client = try await serve.httpClient()
      try await eventually("a worker") { worker.errorsSoFar.contains("working schema") }
      try await eventually("serve is ready") {
        try await client.get("/health/ready").status == 200
      }
      try await admin("revoke update on gymrats.run from \(role)")
      try await admin(
        """
        set search_path = gymrats; select append_events('entry.changed', array['x']); reset search_path
        """)
      try await eventually("serve reports the worker") {
        let ready = try await client.get("/health/ready")
        return ready.status == 503 && ready.body.contains(#""server":"failing""#)
      }
      let status = try await gymrats.run("status")
      #expect(status.status == 2, "\(status.errors)")
      let finding =
        "critical: No worker can dispatch, claim or complete runs (SQLSTATE 42501), for "
      #expect(status.output.contains(finding), "\(status.output)")
      try await admin("grant update on gymrats.run to \(role)")
      try await eventually("serve is ready again") {
        try await client.get("/health/ready").status == 200
      }
    }
  }

  @Test(.sampled()) func `status does not report an outage for a read-only role`()
    async throws
  {
    try await with { gymrats, role, admin in
      let reader = "\(role)_reader"
      try await admin(
        "create role \(reader) login; alter role \(reader) set default_transaction_read_only = on")
      var other = gymrats
      other.environment["DATABASE_URL"]?.replace("://\(role)@", with: "://\(reader)@")
      try await admin("grant usage on schema gymrats to \(reader)")
      try await admin("grant select on all tables in schema gymrats to \(reader)")
      try await admin("grant execute on all functions in schema gymrats to \(reader)")
      let status = try await other.run("status", "--workers", "0")
      #expect(!status.output.contains("only reads"), "\(status.output) \(status.errors)")
      #expect([0, 1].contains(status.status))
      try await admin("drop owned by \(reader); drop role \(reader)")
    }
  }

  @Test(.sampled())
  func `login warnings of the server are not printed to cron, and are logged as JSON`()
    async throws
  {
    try await with { gymrats, _, admin in
      try await admin(
        "update pg_database set datcollversion = '1.0' where datname = current_database()")
      let silent = try await gymrats.run("worker", "--until-idle")
      #expect(silent.status == 0 && silent.errors.isEmpty, "\(silent.errors)")
      let worker = try gymrats.start("worker", "--log-format", "json")
      defer { worker.signal(SIGKILL) }
      try await eventually("its word") { worker.errorsSoFar.contains("the server says at login") }
      worker.signal(SIGTERM)
      let said = try await worker.wait(within: .seconds(20)).errors.split(separator: "\n")
      #expect(said.count { $0.contains("actual collation version") } == 1)
      for line in said { #expect(line.hasPrefix("{") && line.hasSuffix("}"), "\(line)") }
    }
  }
}
