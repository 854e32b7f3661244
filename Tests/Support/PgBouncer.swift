package import BatonPostgres
import Foundation
import Synchronization

/// PgBouncer in transaction mode before the tests' server: what lends a server process to many
/// clients, each for one transaction.
package final class PgBouncer: Sendable {
  /// The address in the form of `DATABASE_URL`.
  package let address: String
  /// The address of its console, which speaks the simple protocol alone: for `psql`.
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

  /// Its file; one that runs reads it again at RELOAD.
  package var file: String { "\(folder.path)/pgbouncer.ini" }

  /// Writes its file, with one line of its section `[databases]`.
  ///
  /// - Parameters:
  ///   - database: the name that clients use; `*` for any.
  ///   - target: where it leads to: host, port and dbname; the role is ours.
  /// - Throws: what the file system says.
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
        // Each test has a database of its own; what it leaves must not use up the server's slots.
        "server_idle_timeout = 10",
      ])
  }

  /// Runs `body` with a pooler of its own, and ends that.
  ///
  /// - Parameter poolSize: the most server processes that all clients share.
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

  /// Runs `body` with a pooler of its own that knows one database, and ends that.
  ///
  /// - Parameters:
  ///   - database: the name that clients use.
  ///   - target: where it leads to: a server that has the role of ``LoopbackLogin``.
  ///   - poolSize: the most server processes that all clients share.
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

  /// The one that all tests of this process may share; gone when the process ends.
  ///
  /// It has a server process for every transaction that tests hold open beside each other.
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

  /// How many transactions of the tests it has passed on since it was started.
  ///
  /// - Throws: `TestFailure` where its console does not answer.
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

  /// Starts it, also again after `kill`, and waits until it lends.
  ///
  /// - Throws: `TestFailure` where it does not start.
  package func start() async throws {
    // Whoever was killed may have the port for as long as the machine is busy.
    _ = try await process.withLock { $0 }?.wait()
    // It refuses to run as root, and needs nothing that only root may do.
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

  /// Ends it at once, with every connection of both sides.
  package func kill() { process.withLock { $0 }?.signal(SIGKILL) }

  /// A new connection through it.
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
