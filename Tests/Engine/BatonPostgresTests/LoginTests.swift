import Foundation
import TestSupport
import Testing

@testable import BatonPostgres

/// Tests logins that a real server refuses, does not answer, or answers with notices.
@Suite(.timeLimit(.minutes(5)))
struct LoginTests {
  private func state(
    of address: String, sourceLocation: SourceLocation = #_sourceLocation
  ) async -> SQLState? {
    let error = await #expect(throws: PostgresError.self, sourceLocation: sourceLocation) {
      try await Connection.open(ConnectionConfiguration(address: address))
    }
    #expect(error?.message.contains("LOCATION") == false, sourceLocation: sourceLocation)
    return error?.sqlState
  }

  @Test func `every refusal of a login carries the server's own code`() async throws {
    try await OwnDatabase.with { address, connection in
      let role = "login_\(UInt32.random(in: .min ... .max))"
      let own = address.replacing("://postgres@", with: "://\(role)@")
      try #require(own != address)
      func run(_ text: String) async throws {
        try await connection.script(Statement("test/login", text))
      }
      #expect(await state(of: own) == "28000")
      try await run("create role \(role) login")
      let database = try await connection.run(.value("select current_database()", as: String.self))
      try await run("alter role \(role) connection limit 0")
      #expect(await state(of: own) == .tooManyConnections)
      try await run(
        "alter role \(role) connection limit -1; alter database \(database) connection limit 0")
      #expect(await state(of: own) == .tooManyConnections)
      try await run("alter database \(database) connection limit -1")
      try await withConnection { other in
        func allow(_ value: String) async throws {
          try await other.script(
            Statement("test/allow", "alter database \(database) allow_connections \(value)"))
        }
        try await allow("off")
        #expect(await state(of: own)?.failure == .busy)
        try await allow("on")
      }
      try await run("revoke connect on database \(database) from public")
      #expect(await state(of: own) == "42501")
      #expect(
        await state(of: address.replacing("/\(database)?", with: "/\(database)_2?")) == "3D000")
      #expect(await state(of: address + "&options=-c%20nonsense.x%3D%00") == "22023")
      #expect(await state(of: address + "&options=-c%20work_mem%3Dmuch") == "22023")
      try await run("drop role \(role)")
    }
  }

  @Test(.sampled())
  func `an address that does not answer is given up in time, and the next one is asked`()
    async throws
  {
    // Accepts connections and never responds.
    let port = try Listener.unusedPort()
    let silent = try Listener(port: port)
    defer { withExtendedLifetime(silent) {} }
    let real = try TestServer.loopbackPort
    let user = "user=postgres dbname=postgres sslmode=disable gssencmode=disable connect_timeout=2"
    let began = ContinuousClock.now
    let error = await #expect(throws: PostgresError.self) {
      try await Connection.open(
        ConnectionConfiguration(address: "host=127.0.0.1 port=\(port) \(user)"))
    }
    #expect(error?.sqlState == .cannotConnect)
    #expect(error?.message.contains("timeout expired") == true, "\(error?.message ?? "")")
    do throws(PostgresError) {
      let next = try await Connection.open(
        ConnectionConfiguration(address: "host=127.0.0.1,localhost port=\(port),\(real) \(user)"))
      await next.close()
    } catch {
      // The tests' server may require a password over the network. In that case, the server asked
      // for a password.
      #expect(error.sqlState == .invalidPassword, "\(error)")
    }
    #expect(began.duration(to: .now) < .seconds(8) * patience)
  }

  @Test func `what the server says at login is kept, and goes nowhere else`() async throws {
    try await OwnDatabase.with { address, connection in
      try await connection.script(
        Statement(
          "test/old",
          "update pg_database set datcollversion = '1.0' where datname = current_database()"))
      let warned = try await Connection.open(ConnectionConfiguration(address: address))
      let notices = await warned.loginNotices
      #expect(notices.count == 1 && notices[0].hasPrefix("WARNING: database "), "\(notices)")
      await warned.close()
      #expect(await connection.loginNotices == [])
    }
  }
}
