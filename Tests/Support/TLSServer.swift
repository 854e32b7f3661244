import BatonPostgres
import Foundation
import PrivateServer
package import Testing

/// A PostgreSQL server with real certificates on the loopback interface.
///
/// The certificate can be changed while the server runs.
///
/// The server has three roles. The role `courier` sends ``password`` as plain text, so that an
/// eavesdropper can detect the password. The role `keeper` authenticates with ``password`` and
/// SCRAM. The role `bearer` has a certificate and no password.
package final class TLSServer: Sendable {
  /// The password that an eavesdropper must not see.
  package static let password = "t0p-secret-of-couriers"

  /// The port on 127.0.0.1.
  package let port: Int
  /// The certificates of the server and of the clients.
  package let certificates: Certificates
  /// The address of the superuser over the server's socket, in the form of `DATABASE_URL`.
  package let address: String
  private let server: PrivateServer
  private let folder: TemporaryFolder

  /// Starts a server.
  ///
  /// - Throws: the error that occurred when the server was started.
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

  /// Stops the server.
  package func stop() { try? server.destroy() }

  /// Changes the certificate, and the newest TLS version that the server supports, for all later
  /// connections.
  ///
  /// TLS can also be disabled.
  ///
  /// - Throws: `PostgresError`, or `TestFailure` if the server does not apply the change.
  package func show(
    _ name: String, newest protocolVersion: String = "", isOn: Bool = true
  ) async throws {
    try await administer(
      "alter system set ssl_cert_file = '\(name).crt'",
      "alter system set ssl_key_file = '\(name).key'",
      "alter system set ssl_max_protocol_version = '\(protocolVersion)'",
      "alter system set ssl = \(isOn)", "select pg_reload_conf()")
    // After the server has read the settings, every new server process has the settings.
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
      // The server refuses a key that other users can read.
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
    // The file is changed in place, because a new file would belong to another owner.
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

  /// Runs statements, each in a separate transaction, because `alter system` cannot run in a
  /// transaction block.
  private func administer(_ statements: String...) async throws {
    let connection = try await Connection.open(ConnectionConfiguration(address: address))
    for text in statements { try await connection.script(Statement("test/administer", text)) }
    await connection.close()
  }

  /// The settings that a new connection has.
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

/// Starts a server for a whole suite, and stops the server after the last test.
package struct OnTLSServer: SuiteTrait, TestScoping {
  /// The server of the current suite.
  @TaskLocal static var running: TLSServer?

  /// The trait applies to the suite as a whole, because all tests share one server.
  package var isRecursive: Bool { false }

  /// Runs the suite with a server.
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
  /// A trait for suites whose tests use ``TLSServer/ofSuite``.
  package static var onTLSServer: Self { Self() }
}

extension TLSServer {
  /// The server of the current suite.
  ///
  /// - Throws: `TestFailure` if the suite has no server.
  package static var ofSuite: TLSServer {
    get throws {
      guard let running = OnTLSServer.running else { throw TestFailure("no .onTLSServer") }
      return running
    }
  }
}
