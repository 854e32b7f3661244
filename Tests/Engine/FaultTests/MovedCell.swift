import BatonPostgres
import Foundation
import PrivateServer
import TestSupport

/// A cell: a schema in one of two clusters.
///
/// Its callers know only its name in PgBouncer.
struct MovedCell: Sendable {
  /// The cell's name in PgBouncer's section `[databases]`.
  static let name = "cell_a"

  let pooler: PgBouncer
  /// The schema through the pooler, as every caller sees it.
  let schema: TestSchema
  /// The first cluster of the cell.
  let home: Cluster
  /// The other cluster, to which the cell can move.
  let other: Cluster

  /// Starts two servers, a pooler for the first server, and a migrated schema on that server.
  static func with(_ body: (MovedCell) async throws -> Void) async throws {
    async let one = Cluster.start()
    async let another = Cluster.start()
    let (home, other) = try await (one, another)
    defer { for cluster in [home, other] { cluster.destroy() } }
    try await home.giveOutTransactionIds()
    try await PgBouncer.with(name, leadingTo: home.place + " dbname=postgres", poolSize: 4) {
      pooler in
      try await TestSchema.with(.standard, at: pooler.address) { schema in
        try await schema.gymrats.succeed("migrate")
        try await body(MovedCell(pooler: pooler, schema: schema, home: home, other: other))
      }
    }
  }

  /// Runs a step of `docs/guides/scaling.md` without changes.
  func step(_ name: String, from source: Cluster, to target: Cluster) async throws {
    let ended = try await TestProcess(
      "/bin/bash", ["-c", "set -eu -o pipefail\n" + (try Self.block(name))],
      environment: [
        "PATH": PostgresProgram.searchPath, "POOLER": pooler.console,
        "OLD": source.address, "NEW": target.address, "INI": pooler.file, "TO": target.place,
      ], directory: "/"
    ).wait()
    guard ended.status == 0 else { throw TestFailure("the step `\(name)`: \(ended.errors)") }
  }

  /// Returns the block of the page that begins with a comment of this name.
  private static func block(_ name: String) throws -> String {
    let root = Checkout.root
    let page = try String(
      contentsOf: root.appending(path: "docs/guides/scaling.md"), encoding: .utf8)
    let blocks = page.components(separatedBy: "```").filter { $0.hasPrefix("sh\n# \(name):") }
    guard blocks.count == 1 else {
      throw TestFailure("docs/guides/scaling.md: \(name), \(blocks.count)")
    }
    return String(blocks[0].dropFirst(3))
  }
}

/// A PostgreSQL server of the test's own that listens on loopback.
struct Cluster: Sendable {
  /// The administrator's address, which does not pass through a pooler.
  let address: String
  /// The address for a pooler.
  let place: String
  private let server: PrivateServer
  private let folder: TemporaryFolder

  /// Starts a server and returns it.
  ///
  /// - Throws: the error of the last of three attempts. Another program may take a free port before
  ///   the new server binds it.
  static func start() async throws -> Cluster {
    for _ in 1...2 {
      do {
        return try await Cluster(port: try Listener.unusedPort())
      } catch {
        print("a cluster did not start, another follows: \(error)")
      }
    }
    return try await Cluster(port: try Listener.unusedPort())
  }

  private init(port: Int) async throws {
    let folder = try TemporaryFolder()
    let server = PrivateServer(
      directory: folder.path + "/server",
      settings: [
        ("fsync", "off"), ("log_min_messages", "fatal"), ("shared_buffers", "16MB"),
        // Only callers use transaction ids, so that the test can detect that no id was used.
        ("autovacuum", "off"),
      ],
      loopbackPort: port)
    do {
      address = try await blocking { try server.up() }.connectionString
      try await LoopbackLogin.make(at: address)
    } catch {
      try? server.destroy()
      throw error
    }
    place = "host=127.0.0.1 port=\(port)"
    (self.server, self.folder) = (server, folder)
  }

  func destroy() { try? server.destroy() }

  /// Uses as many transaction ids as a cluster that has been running for some time.
  ///
  /// A new cluster begins with much lower ids, and must not mistake its own ids for ids that were
  /// dispatched long ago.
  func giveOutTransactionIds() async throws {
    try await script(
      """
      do $$ begin
        for i in 1..30000 loop perform pg_current_xact_id(); commit; end loop;
      end $$
      """)
  }

  /// Returns the next id that a writing transaction will get.
  func nextTransaction() async throws -> Int {
    try await number("select pg_snapshot_xmax(pg_current_snapshot())::text::bigint")
  }

  /// Returns the number of workouts in the cluster's schema.
  func workouts() async throws -> Int { try await number("select count(*) from workout") }

  private func number(_ query: String) async throws -> Int {
    let connection = try await Connection.open(ConnectionConfiguration(address: address))
    let rows = try await connection.sql(query, in: .standard)
    await connection.close()
    guard let number = rows.first.flatMap({ Int($0) }) else {
      throw TestFailure("\(query): \(rows)")
    }
    return number
  }

  func script(_ text: String) async throws {
    let connection = try await Connection.open(ConnectionConfiguration(address: address))
    try await connection.script(Statement("test/administer", text))
    await connection.close()
  }
}
