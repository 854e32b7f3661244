import BatonPostgres
import Foundation
import TestSupport
import Testing

@testable import JobRunner

/// Servers with a false identity and attackers between client and server.
///
/// The client only knows the server's name. It refuses to connect, and sends no byte of the
/// password.
///
/// The login `courier` would send its password as plain text, which an eavesdropper could read. The
/// first test shows that.
@Suite(
  .serialized, .enabled(if: Certificates.canBeMade, "needs openssl"), .onTLSServer,
  .timeLimit(.minutes(5)))
struct TLSTests {
  private let server: TLSServer

  init() throws { server = try TLSServer.ofSuite }

  /// The name is the name in the certificate, and resolves to loopback.
  ///
  /// A server with a name counts as remote, regardless of its address.
  private func address(
    _ role: String = "courier", port: Int, host: String = Certificates.host,
    authority: String = "ca",
    _ more: String = "channel_binding=prefer"
  ) -> String {
    "host=\(host) hostaddr=127.0.0.1 port=\(port) user=\(role) dbname=postgres "
      + "password=\(TLSServer.password) sslrootcert=\(server.certificates.path("\(authority).crt")) "
      + more
  }

  private func open(_ address: String) async throws -> Channel {
    let connection = try await Connection.open(ConnectionConfiguration(address: address))
    let channel = await connection.channel
    await connection.close()
    return channel
  }

  /// Expects a permanent refusal that reveals neither the password nor the login.
  private func expectRefusal(
    _ word: String, by eavesdropper: Eavesdropper, _ address: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    defer { eavesdropper.stop() }
    let error = await #expect(throws: PostgresError.self, sourceLocation: sourceLocation) {
      try await open(address)
    }
    let told = try #require(error)
    #expect(told.message.contains(word), "\(told)", sourceLocation: sourceLocation)
    // No worker waits for such a server.
    #expect(told.sqlState == .connectionRejected, "\(told)", sourceLocation: sourceLocation)
    #expect(!eavesdropper.said.isEmpty, sourceLocation: sourceLocation)
    for secret in [TLSServer.password, "courier"] {
      #expect(!eavesdropper.hasHeard(secret), sourceLocation: sourceLocation)
    }
  }

  // MARK: Who hears, and who does not

  @Test func `whoever chose no TLS is heard, and is warned`() async throws {
    let eavesdropper = try Eavesdropper(before: server.port)
    defer { eavesdropper.stop() }
    let address = address(port: eavesdropper.port, "sslmode=disable")
    #expect(try await open(address) == .clearText)
    #expect(eavesdropper.hasHeard(TLSServer.password))
    #expect(ConnectionConfiguration(address: address).warning?.contains("sslmode=disable") == true)
  }

  @Test func `with the right certificate all is well, and nobody hears a thing`() async throws {
    let eavesdropper = try Eavesdropper(before: server.port)
    defer { eavesdropper.stop() }
    guard
      case .encrypted(let version, let cipher, let mode) =
        try await open(address(port: eavesdropper.port))
    else {
      Issue.record("not encrypted")
      return
    }
    #expect(version == "TLSv1.3" && cipher.hasPrefix("TLS_") && mode == "verify-full")
    #expect(!eavesdropper.hasHeard(TLSServer.password) && !eavesdropper.hasHeard("courier"))
  }

  @Test func `TLS 1.2 is enough`() async throws {
    try await server.show("server", newest: "TLSv1.2")
    let channel = try await open(address(port: server.port))
    try await server.show("server")
    #expect("\(channel)".hasPrefix("over TLSv1.2 ("))
    #expect("\(channel)".hasSuffix("), certificate and host name checked"))
  }

  /// Over TLS, a cancellation closes the connection, so the opening calls fail as well.
  @Test func `a cancelled first round trip throws the error of the transaction's body`()
    async throws
  {
    struct Reason: Error {}
    let connection = try await Connection.open(
      ConnectionConfiguration(address: address("keeper", port: server.port, "")))
    let schema = try #require(Schema("transactions"))
    let working = Task {
      try await Session(connection, in: schema).transaction(
        deferring: [.run(Statement("test/deferred", "select 1"))]
      ) { transaction in
        do {
          try await transaction.run(.run(Statement("test/sleep", "select pg_sleep(60)")))
        } catch {
          throw Reason()
        }
      }
    }
    let watching = try await Connection.open(ConnectionConfiguration(address: server.address))
    let sleeps = Call.row(
      Statement(
        "test/sleeps", "select count(*) from pg_stat_activity where wait_event = 'PgSleep'"),
      as: Int64.self)
    try await eventually("the statement") { try await watching.run(sleeps) == 1 }
    working.cancel()
    await #expect(throws: Reason.self) { try await working.value }
    await watching.close()
    await connection.close()
  }

  // MARK: Servers that are refused

  @Test(arguments: ["expired", "self"])
  func `a certificate that has ended, and one that the server signed itself`(
    name: String
  ) async throws {
    try await server.show(name)
    let eavesdropper = try Eavesdropper(before: server.port)
    try await expectRefusal(
      "certificate verify failed", by: eavesdropper, address(port: eavesdropper.port))
    try await server.show("server")
  }

  @Test func `a certificate of an authority that nobody trusts`() async throws {
    let eavesdropper = try Eavesdropper(before: server.port)
    try await expectRefusal(
      "certificate verify failed", by: eavesdropper,
      address(port: eavesdropper.port, authority: "other"))
  }

  @Test func `a certificate for another name`() async throws {
    let eavesdropper = try Eavesdropper(before: server.port)
    try await expectRefusal(
      "does not match host name", by: eavesdropper,
      address(port: eavesdropper.port, host: "other.gymrats.test"))
  }

  @Test func `a protocol that is older than what is asked for`() async throws {
    try await server.show("server", newest: "TLSv1.2")
    let eavesdropper = try Eavesdropper(before: server.port)
    try await expectRefusal(
      "protocol version", by: eavesdropper,
      address(
        port: eavesdropper.port, "channel_binding=prefer ssl_min_protocol_version=TLSv1.3"))
    try await server.show("server")
  }

  @Test func `a server without TLS`() async throws {
    try await server.show("server", isOn: false)
    let eavesdropper = try Eavesdropper(before: server.port)
    try await expectRefusal(
      "does not support SSL", by: eavesdropper, address(port: eavesdropper.port))
    try await server.show("server")
  }

  // MARK: Somebody on the way

  @Test func `somebody who says no for the server`() async throws {
    let liar = try Eavesdropper(before: server.port, answering: .no)
    try await expectRefusal("does not support SSL", by: liar, address(port: liar.port))
    // The client sends only the question for TLS, and no further byte.
    #expect(liar.said.count == 8)
    // A client that let the server choose would have sent everything.
    let trusting = try Eavesdropper(before: server.port, answering: .no)
    defer { trusting.stop() }
    #expect(try await open(address(port: trusting.port, "sslmode=prefer")) == .clearText)
    #expect(trusting.hasHeard(TLSServer.password))
  }

  @Test func `somebody who puts words into the server's mouth before it is encrypted`() async throws
  {
    let liar = try Eavesdropper(before: server.port, answering: .yesAndMore)
    try await expectRefusal(
      "received unencrypted data after SSL response", by: liar, address(port: liar.port))
  }

  // MARK: Passwords and certificates

  @Test func `by default the channel is bound: a server must know the password, too`() async throws
  {
    // With SCRAM, the server proves that it knows the password.
    let channel = try await open(address("keeper", port: server.port, ""))
    #expect("\(channel)".contains("TLSv1.3"))
    // A server that requests the plain password does not get it.
    let error = await #expect(throws: PostgresError.self) {
      try await open(address(port: server.port, ""))
    }
    #expect(error?.message.contains("channel binding") == true)
    #expect(error?.sqlState == .connectionRejected)
  }

  @Test func `a client's certificate logs in without a password`() async throws {
    let certificates = server.certificates
    let client =
      "sslcert=\(certificates.path("client.crt")) sslkey=\(certificates.path("client.key"))"
    let channel = try await open(address("bearer", port: server.port, client))
    #expect("\(channel)".contains("certificate and host name checked"))
    // Without the certificate, the server does not admit the role.
    let error = await #expect(throws: PostgresError.self) {
      try await open(address("bearer", port: server.port))
    }
    #expect(error != nil)
  }

  // MARK: Cancelling

  @Test func `to cancel what is lost already is done to nobody else`() async throws {
    let lost = try await Connection.open(
      ConnectionConfiguration(address: address("keeper", port: server.port, "")))
    let pid = await lost.backend.pid
    let observer = try await Connection.open(ConnectionConfiguration(address: server.address))
    let end = Statement("test/end", "select pg_terminate_backend($1, 10000)")
    try await observer.run(.run(end, pid))
    let look = Statement("test/look", "select 7")
    // The first statement reads the last message of the server.
    for _ in 1...2 {
      let error = await #expect(throws: PostgresError.self) { try await lost.script(look) }
      #expect(error?.sqlState.isConnectionLoss == true)
    }
    #expect(lost.isBroken)
    // One of these connections now has the number of the old socket.
    var others: [Connection] = []
    for _ in 1...8 {
      others.append(try await Connection.open(ConnectionConfiguration(address: server.address)))
    }
    lost.cancel()
    for other in others {
      try await other.script(look)
      await other.close()
    }
    await observer.close()
    await lost.close()
  }

  /// The server process would sleep for ten minutes, because it does not notice the closed socket.
  @Test func `an abandoned session also ends its server process`() async throws {
    let session = ReconnectingSession(
      ConnectionConfiguration(address: address("keeper", port: server.port, "")),
      in: try #require(Schema("abandoned")), logger: .quiet)
    let opened = try await session.session()
    let process = try #require(session.process)
    let sleeping = Task {
      try await opened.atomically(.run(Statement("test/sleep", "select pg_sleep(600)")))
    }
    let observer = try await Connection.open(ConnectionConfiguration(address: server.address))
    let sleeps = Statement(
      "test/sleeps",
      "select count(*) from pg_stat_activity where pid = $1 and wait_event = 'PgSleep'")
    let count = Call.row(sleeps, process) { (row) throws(PostgresError) in
      try row.decode(Int64.self)
    }
    try await eventually("the statement") { try await observer.run(count) == 1 }
    await session.abandon()
    await #expect(throws: PostgresError.self) { try await sleeping.value }
    try await eventually("the end of the server process") { try await observer.run(count) == 0 }
    await observer.close()
  }

  // MARK: What the program says

  private func program(_ address: String) -> BatonProgram {
    BatonProgram(environment: ["DATABASE_URL": address])
  }

  @Test func `a worker says once what was agreed`() async throws {
    let address = address("keeper", port: server.port, "application_name=once")
    try await program(address).succeed("migrate")
    let worker = try program(address).start("worker")
    defer { worker.signal(SIGKILL) }
    func connections() async throws -> Int {
      let connection = try await Connection.open(ConnectionConfiguration(address: server.address))
      let kill = Statement(
        "test/kill",
        """
        select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'once'
        """)
      let killed = try await connection.run(
        .rows(kill) { (row) throws(PostgresError) in try row.decode(Bool.self) })
      await connection.close()
      return killed.count
    }
    try await eventually("the worker") { worker.errorsSoFar.contains("working schema") }
    for _ in 1...2 { try await eventually("its connections") { try await connections() > 0 } }
    worker.signal(SIGTERM)
    let ended = try await worker.wait()
    #expect(ended.status == 0, "\(ended.errors)")
    let said = ended.errors.components(separatedBy: "over TLSv1.3 (").dropFirst()
    #expect(said.count == 1, "\(ended.errors)")
    #expect(said.first?.contains("), certificate and host name checked, in 2 executors:") == true)
  }

  @Test(arguments: [
    ("other", "", "certificate verify failed", "sslrootcert"),
    ("ca", "", "channel binding", "channel_binding=prefer"),
  ])
  func `a command and a worker say what to do, and do not wait`(
    authority: String, more: String, what: String, next: String
  ) async throws {
    let address = address(port: server.port, authority: authority, more)
    for command in ["jobs", "worker"] {
      let ended = try await program(address).run(command, within: .seconds(20))
      let lines = ended.errors.split(separator: "\n")
      #expect(ended.status == 69 && lines.count == 3, "\(ended.errors)")
      #expect(lines.first?.contains(what) == true && lines.last?.contains(next) == true)
      #expect(!ended.errors.contains(TLSServer.password))
    }
  }
}
