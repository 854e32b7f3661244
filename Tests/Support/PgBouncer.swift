package import BatonPostgres
import Foundation
import Synchronization

/// PgBouncer in transaction mode in front of the tests' server.
///
/// PgBouncer assigns a server process to a client for one transaction.
package final class PgBouncer: Sendable {
  /// The address in the form of `DATABASE_URL`.
  package let address: String
  /// The address of the console for `psql`.
  ///
  /// The console supports only the simple query protocol.
  package let console: String
  private let port: Int
  private let poolSize: Int
  private let folder: TemporaryFolder
  private let process = Mutex<TestProcess?>(nil)

  private init(poolSize: Int, database: String = "postgres") throws {
    port = try Listener.unusedPort()
    self.poolSize = poolSize
    address = LoopbackLogin.address(port: port, database: database)
    console = LoopbackLogin.address(port: port, database: "pgbouncer")
    folder = try TemporaryFolder()
  }

  /// The path of the configuration file, which a running PgBouncer reads again after RELOAD.
  package var file: String { "\(folder.path)/pgbouncer.ini" }

  /// Writes the configuration file with one line in the section `[databases]`.
  ///
  /// - Parameters:
  ///   - database: the name of the database for clients, or `*` for any name.
  ///   - target: the host, the port and the name of the database on the server. The pooler logs in
  ///     with the role of ``LoopbackLogin``.
  /// - Throws: an error of the file system.
  private func lead(_ database: String, to target: String) throws {
    _ = try folder.write(
      "pgbouncer.ini",
      lines: [
        "[databases]",
        "\(database) = \(target) user=\(LoopbackLogin.user) password=\(LoopbackLogin.password)",
        "[pgbouncer]",
        "listen_addr = 127.0.0.1", "listen_port = \(port)", "unix_socket_dir =",
        "auth_type = any", "admin_users = \(LoopbackLogin.user)",
        "pool_mode = transaction", "default_pool_size = \(poolSize)",
        "max_client_conn = 300", "server_login_retry = 1", "log_connections = 0",
        "log_disconnections = 0", "server_round_robin = 1",
        // Each test has a separate database, so idle connections of finished tests must not use up
        // the connection slots of the server.
        "server_idle_timeout = 10",
      ])
  }

  /// Runs `body` with a separate pooler, and stops the pooler afterwards.
  ///
  /// - Parameter poolSize: the maximum number of server processes that all clients share.
  /// - Throws: the error of `body`, or `TestFailure` if PgBouncer is not installed.
  package static func with<R>(
    poolSize: Int = 3, _ body: (PgBouncer) async throws -> R
  ) async throws -> R {
    try await LoopbackLogin.make()
    let pooler = try PgBouncer(poolSize: poolSize)
    try pooler.lead("*", to: "host=127.0.0.1 port=\(TestServer.loopbackPort)")
    try await pooler.start()
    defer { pooler.kill() }
    return try await body(pooler)
  }

  /// Runs `body` with a separate pooler for one database, and stops the pooler afterwards.
  ///
  /// - Parameters:
  ///   - database: the name of the database for clients.
  ///   - target: the database on a server that has the role of ``LoopbackLogin``.
  ///   - poolSize: the maximum number of server processes that all clients share.
  /// - Throws: the error of `body`, or `TestFailure` if PgBouncer is not installed.
  package static func with<R>(
    _ database: String, leadingTo target: String, poolSize: Int = 3,
    _ body: (PgBouncer) async throws -> R
  ) async throws -> R {
    let pooler = try PgBouncer(poolSize: poolSize, database: database)
    try pooler.lead(database, to: target)
    try await pooler.start()
    defer { pooler.kill() }
    return try await body(pooler)
  }

  /// The pooler that all tests of the process share, and that stops when the process ends.
  ///
  /// The pool is large enough for all concurrent transactions of the tests.
  package static var shared: PgBouncer {
    get async throws { try await starting.value }
  }

  private static let starting = Task {
    try await LoopbackLogin.make()
    let pooler = try PgBouncer(poolSize: 60)
    try pooler.lead("*", to: "host=127.0.0.1 port=\(TestServer.loopbackPort)")
    try await pooler.start()
    started.withLock { $0 = pooler }
    atexit { PgBouncer.started.withLock { $0 }?.kill() }
    return pooler
  }

  private static let started = Mutex<PgBouncer?>(nil)

  /// Returns the number of the tests' transactions since the start of the pooler.
  ///
  /// - Throws: `TestFailure` if the console does not respond.
  package func transactions() async throws -> Int {
    let ended = try await TestProcess(
      "/usr/bin/env", ["psql", "-AtX", "-F", " ", "-c", "show stats_totals", console],
      environment: ["PATH": "/usr/bin:/usr/local/bin"], directory: "/"
    ).wait()
    let counts = ended.output.split(separator: "\n").compactMap {
      $0.split(separator: " ").dropFirst().first.flatMap { Int($0) }
    }
    guard !counts.isEmpty else {
      throw TestFailure("PgBouncer's console: \(ended.output) \(ended.errors)")
    }
    return counts.reduce(0, +)
  }

  /// Starts the pooler, or restarts the pooler after `kill`, and waits until the pooler accepts
  /// clients.
  ///
  /// - Throws: `TestFailure` if the pooler does not start.
  package func start() async throws {
    // A killed pooler may occupy the port for some time on a busy machine.
    _ = try await process.withLock { $0 }?.wait()
    // PgBouncer refuses to run as root, and does not need the rights of root.
    let account = geteuid() == 0 ? ["-u", "nobody"] : []
    let started = try TestProcess(
      try Self.program(), account + [file], environment: [:],
      directory: "/")
    process.withLock { $0 = started }
    try await eventually("PgBouncer: \(started.errorsSoFar)", within: .seconds(20)) {
      guard started.isRunning else { throw TestFailure("no PgBouncer: \(started.errorsSoFar)") }
      guard let connection = try? await Connection.open(ConnectionConfiguration(address: address))
      else { return false }
      await connection.close()
      return true
    }
  }

  /// Kills the pooler, with all connections to clients and to the server.
  package func kill() { process.withLock { $0 }?.signal(SIGKILL) }

  /// Opens a new connection through the pooler.
  ///
  /// - Throws: `PostgresError`.
  package func connect() async throws -> Connection {
    try await Connection.open(ConnectionConfiguration(address: address))
  }

  private static func program() throws -> String {
    let places = ["/usr/sbin/pgbouncer", "/usr/bin/pgbouncer", "/usr/local/bin/pgbouncer"]
    guard let path = places.first(where: FileManager.default.isExecutableFile) else {
      throw TestFailure("PgBouncer is not installed: apt-get install pgbouncer (`make testdeps`)")
    }
    return path
  }
}
