import BatonPostgres
import Foundation
import PrivateServer
import TestSupport
import Testing

/// Tests `gymrats doctor` on a server with standbys and replication slots.
@Suite(.timeLimit(.minutes(5))) struct DoctorReplicationTests {
  @Test(.sampled())
  func `standbys, slots and synchronous settings are named, and what is wrong with them`()
    async throws
  {
    try await withServer { folder, server, gymrats in
      #expect(try await report(gymrats) == "")
      try await server.script("select pg_create_physical_replication_slot('archive', true)")
      try await expect("note: The replication slot archive has no consumer and keeps ", gymrats)

      let standby = try receiver(server, folder)
      defer { standby.signal(SIGKILL) }
      try await expect("  standby copy: async, streaming, ", gymrats)
      let found = try await report(gymrats)
      #expect(found.contains("synchronous_commit on, synchronous_standby_names not set\n"))
      #expect(found.contains("  slot archive: active, keeps "))
      #expect(found.contains("note: No commit waits for a standby"))
      #expect(!found.contains("has no consumer"))

      try await server.script("alter system set synchronous_standby_names = 'copy'")
      try await server.script("select pg_reload_conf()")
      try await expect("  standby copy: sync, streaming, ", gymrats)
      #expect(try await !report(gymrats).contains("standby_names 'copy'\n  next:"))
      try await server.script("alter role current_user set synchronous_commit = local")
      try await expect("warning: synchronous_commit is local", gymrats)
      try await server.script("alter role current_user reset synchronous_commit")

      standby.signal(SIGKILL)
      try await expect("critical: No synchronous standby is connected", gymrats)
      let json = try await gymrats.run("doctor", "--json")
      #expect(json.output.contains(#""slots":[{"#) && json.output.contains(#""standbys":[]"#))
    }
  }

  /// Returns the printed lines about replication, and the findings.
  private func report(_ gymrats: BatonProgram) async throws -> String {
    let ended = try await gymrats.run("doctor")
    #expect(ended.errors == "" && ended.status <= 2)
    let words = ["standby", "slot", "synchronous"]
    return ended.output.split(separator: "\n").filter { line in
      words.contains { line.contains($0) }
    }.map { $0 + "\n" }.joined()
  }

  private func expect(_ text: String, _ gymrats: BatonProgram) async throws {
    try await eventually(text) { try await report(gymrats).contains(text) }
  }

  /// A process that receives the write-ahead log like a standby, and confirms what it has written.
  private func receiver(_ server: Server, _ folder: TemporaryFolder) throws -> TestProcess {
    guard let program = PrivateServer.program(named: "pg_receivewal") else {
      throw TestFailure("pg_receivewal is not installed")
    }
    let target = folder.path + "/copy"
    try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: false)
    return try TestProcess(
      program,
      ["-d", server.address, "-D", target, "-S", "archive", "--synchronous"],
      environment: ["PGAPPNAME": "copy"], directory: "/")
  }

  private struct Server {
    let address: String

    /// Runs a statement that does not wait for a standby, because the standby may be absent.
    func script(_ text: String) async throws {
      let connection = try await Connection.open(ConnectionConfiguration(address: address))
      try await connection.script(Statement("test/local", "set synchronous_commit = local"))
      try await connection.script(Statement("test/script", text))
      await connection.close()
    }
  }

  private func withServer(
    _ body: (TemporaryFolder, Server, BatonProgram) async throws -> Void
  ) async throws {
    let folder = try TemporaryFolder()
    let server = PrivateServer(directory: folder.path + "/server", settings: [("fsync", "off")])
    defer { try? server.destroy() }
    let address = try await blocking { try server.up() }.connectionString
    let gymrats = BatonProgram(environment: ["DATABASE_URL": address])
    try await gymrats.succeed("migrate")
    try await body(folder, Server(address: address), gymrats)
  }
}
