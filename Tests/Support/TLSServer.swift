import BatonPostgres
import Foundation
import PrivateServer
package import Testing

/// A PostgreSQL with real certificates on loopback, whose certificate can be changed while it runs.
///
/// Two roles log in there with ``password``: `courier` sends it as it is, so that whoever sees it go by can
/// tell; `keeper` proves that it knows it (SCRAM). `bearer` has a certificate and no password.
package final class TLSServer: Sendable {
  /// What nobody on the way may see.
  package static let password = "t0p-secret-of-couriers"

  /// The port on 127.0.0.1.
  package let port: Int
  /// Its files and those of its clients.
  package let certificates: Certificates
  /// What `DATABASE_URL` would be over its socket, for its superuser.
  package let address: String
  private let server: PrivateServer
  private let folder: TemporaryFolder

  /// Starts one.
  ///
  /// - Throws: what starting it met.
  package init() async throws {
    folder = try TemporaryFolder()
    port = try Listener.unusedPort()
    certificates = try await Certificates(for: "bearer")
    let server = PrivateServer(
      directory: folder.path + "/server",
      settings: [("fsync", "off"), ("shared_buffers", "16MB"), ("log_min_messages", "fatal")],
      loopbackPort: port)
    self.server = server
    address = try await blocking { try server.up() }.connectionString
    do { try await prepare() } catch {
      stop()
      throw error
    }
  }

  /// Stops it.
  package func stop() { try? server.destroy() }

  /// Lets it show another certificate, and speak no newer protocol than this or no TLS, from the next
  /// connection on.
  ///
  /// - Throws: `PostgresError`; `TestFailure` where it does not take it over.
  package func show(
    _ name: String, newest protocolVersion: String = "", isOn: Bool = true
  ) async throws {
    try await administer(
      "alter system set ssl_cert_file = '\(name).crt'",
      "alter system set ssl_key_file = '\(name).key'",
      "alter system set ssl_max_protocol_version = '\(protocolVersion)'",
      "alter system set ssl = \(isOn)", "select pg_reload_conf()")
    // A process that is forked now has what the server has read.
    try await eventually("the server's new settings") {
      try await settings == ["\(name).crt", protocolVersion, isOn ? "on" : "off"]
    }
  }

  private func prepare() async throws {
    let data = folder.path + "/server/data"
    var owner = stat()
    guard stat(data, &owner) == 0 else { throw TestFailure("there is no \(data)") }
    for name in ["ca.crt"] + ["server", "expired", "self"].flatMap({ ["\($0).crt", "\($0).key"] }) {
      try FileManager.default.copyItem(
        atPath: certificates.path(name), toPath: "\(data)/\(name)")
      // The server refuses a key that others may read.
      guard chown("\(data)/\(name)", owner.st_uid, owner.st_gid) == 0,
        chmod("\(data)/\(name)", 0o600) == 0
      else { throw TestFailure("cannot give \(name) to the server") }
    }
    let rules = """
      local   all all                  trust
      hostssl all bearer  127.0.0.1/32 cert
      host    all courier 127.0.0.1/32 password
      host    all keeper  127.0.0.1/32 scram-sha-256

      """
    // In place: whoever writes another file would be its owner.
    let file = try FileHandle(forWritingTo: URL(filePath: data + "/pg_hba.conf"))
    try file.truncate(atOffset: 0)
    try file.write(contentsOf: Data(rules.utf8))
    try file.close()
    try await administer(
      "create role courier login password '\(Self.password)'",
      "create role keeper login superuser password '\(Self.password)'",
      "create role bearer login", "alter system set ssl_ca_file = 'ca.crt'")
    try await show("server")
  }

  /// Each in a transaction of its own, as `alter system` has to be.
  private func administer(_ statements: String...) async throws {
    let connection = try await Connection.open(ConnectionConfiguration(address: address))
    for text in statements { try await connection.script(Statement("test/administer", text)) }
    await connection.close()
  }

  /// As whoever connects now has them.
  private var settings: [String] {
    get async throws {
      let names = ["ssl_cert_file", "ssl_max_protocol_version", "ssl"]
      let connection = try await Connection.open(ConnectionConfiguration(address: address))
      let values = try await connection.pipeline(
        names.map { name in
          .row(Statement("test/setting", "select current_setting('\(name)')")) {
            (row) throws(PostgresError) in try row.decode(String.self)
          }
        })
      await connection.close()
      return values
    }
  }
}

/// Starts a server for a whole suite, and stops it behind the last test.
package struct OnTLSServer: SuiteTrait, TestScoping {
  /// The server of the suite that runs.
  @TaskLocal static var running: TLSServer?

  /// One server for all of them.
  package var isRecursive: Bool { false }

  /// Runs the suite.
  package func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    let server = try await TLSServer()
    defer { server.stop() }
    try await Self.$running.withValue(server) { try await function() }
  }
}

extension Trait where Self == OnTLSServer {
  /// With ``TLSServer/ofSuite``.
  package static var onTLSServer: Self { Self() }
}

extension TLSServer {
  /// The server of the suite that runs.
  ///
  /// - Throws: `TestFailure` where the suite has none.
  package static var ofSuite: TLSServer {
    get throws {
      guard let running = OnTLSServer.running else { throw TestFailure("no .onTLSServer") }
      return running
    }
  }
}
