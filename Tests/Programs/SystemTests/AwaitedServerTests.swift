import BatonPostgres
import Foundation
import PrivateServer
import TestSupport
import Testing

/// Tests a server that is not running when a command starts, and may be running soon.
@Suite(.timeLimit(.minutes(5)))
struct AwaitedServerTests {
  @Test(.sampled())
  func `a worker waits for a server that stops, is gone and starts; others do not`()
    async throws
  {
    let folder = try TemporaryFolder()
    let server = PrivateServer(directory: folder.path + "/server", settings: [("fsync", "off")])
    defer { try? server.destroy() }
    let running = try await blocking { try server.up() }
    let gymrats = BatonProgram(environment: ["DATABASE_URL": running.connectionString])
    try await gymrats.succeed("migrate")
    // While a client is connected, a server that is shutting down refuses all other connections,
    // for as long as the test needs.
    let connection = try await Connection.open(
      ConnectionConfiguration(address: running.connectionString))
    #expect(kill(running.processID, SIGTERM) == 0)
    try await eventually("a server that stops") {
      try await gymrats.run("jobs").errors.contains("57P03")
    }
    let worker = try gymrats.start("worker")
    defer { worker.signal(SIGKILL) }
    try await eventually("its word") { worker.errorsSoFar.contains("shutting down [57P03]") }
    for command in [["worker", "--until-idle"], ["run", "retention"], ["migrate"]] {
      try await expectNoWait(command, gymrats)
    }

    await connection.close()
    try await eventually("a server that is gone") { worker.errorsSoFar.contains("[08001]") }
    for command in [["worker", "--until-idle"], ["run", "retention"]] {
      try await expectNoWait(command, gymrats)
    }
    #expect(worker.isRunning)

    let again = try await blocking { try server.up() }
    try await eventually("the work") { worker.errorsSoFar.contains("working schema") }
    let said = worker.errorsSoFar
    #expect(said.contains("connected to the server after "))
    #expect(said.contains("working schema gymrats of postgres as postgres at /"))
    #expect(said.contains(", PostgreSQL \(again.version)."))
    #expect(said.contains(" in 2 executors: recompute-ranks, resync-boards, "))
    // The log has one line for each reason, not for each attempt.
    let waits = said.split(separator: "\n").filter { $0.contains("waiting for the server") }
    #expect((2...6).contains(waits.count), "\(said)")
    worker.signal(SIGTERM)
    #expect(try await worker.wait(within: .seconds(10)).status == 0)
  }

  @Test(.sampled(), arguments: ["127.0.0.1", "no-such-host.invalid"])
  func `a worker that waits can be stopped`(host: String) async throws {
    let port = try Listener.unusedPort()
    let gymrats = BatonProgram(environment: [
      "DATABASE_URL": "postgresql://someone@\(host):\(port)/postgres"
    ])
    let worker = try gymrats.start("worker")
    defer { worker.signal(SIGKILL) }
    try await eventually("its word") { worker.errorsSoFar.contains("waiting for the server") }
    worker.signal(SIGTERM)
    #expect(try await worker.wait(within: .seconds(10)).status == 0)
    try await expectNoWait(["worker", "--until-idle"], gymrats)
  }

  @Test(.sampled()) func `until idle ends where the server goes while it works`()
    async throws
  {
    try await LoopbackLogin.make()
    try await TestSchema.with { schema in
      let people = People(schema)
      try await people.join("u1", group: "g")
      #expect(try await people.record("u1", "w1") == "accepted")
      let proxy = try FaultProxy(before: TestServer.loopbackPort)
      try await schema.holding("select from board_version for update") { lock in
        let worker = try BatonProgram(environment: [
          "DATABASE_URL": proxy.address(of: schema), "BATON_SCHEMA": schema.schema.name,
        ]).start("worker", "--until-idle")
        defer { worker.signal(SIGKILL) }
        try await lock.waitUntilItBlocks()
        proxy.close()
        let ended = try await worker.wait(within: .seconds(20))
        #expect(ended.status == 69, "\(ended.errors)")
        #expect(ended.errors.contains("next:  Start the server"))
      }
      try await schema.gymrats.succeed("worker", "--until-idle")
      #expect(try await people.published("u1") == 1)
    }
  }

  private func expectNoWait(_ command: [String], _ gymrats: BatonProgram) async throws {
    let ended = try await gymrats.start(command).wait(within: .seconds(30))
    expectComplaint(
      ended, status: 69, what: "", place: "DATABASE_URL", next: "Start the server")
  }
}
