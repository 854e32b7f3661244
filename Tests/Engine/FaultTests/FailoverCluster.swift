import BatonPostgres
import Foundation
import TestSupport

/// Three servers under Patroni with a synchronous standby, as `Tests/failover-cluster` starts them.
struct FailoverCluster: Sendable {
  /// A fault of the leader, or of all nodes.
  enum Fault: String, CaseIterable {
    /// All processes of the leader are killed. Its host refuses connections.
    case kill
    /// An operator requests another leader from Patroni.
    case switchover
    /// The leader is killed, and its host sends no responses.
    case off
    /// The leader loses the connection to the other nodes, but its clients can still reach it.
    case cut
    /// All nodes are killed and started again.
    case restart
  }

  private static let nodes = 1...3
  private let folder: TemporaryFolder

  /// The address of all three hosts.
  ///
  /// A client uses the host that accepts writes.
  let address = Self.address(
    nodes.map { "10.197.3.\($0)" }.joined(separator: ","), "target_session_attrs=read-write")

  private static func address(_ hosts: String, _ option: String = "") -> String {
    "host=\(hosts) user=postgres dbname=postgres sslmode=disable connect_timeout=2 \(option)"
  }

  /// Runs `body` with a cluster of a leader and two standbys, and removes the cluster.
  static func with(_ body: (FailoverCluster) async throws -> Void) async throws {
    let cluster = FailoverCluster(folder: try TemporaryFolder())
    let result: Result<Void, any Error>
    do {
      try await cluster.run("up")
      try await cluster.waitUntilWhole()
      result = .success(try await body(cluster))
    } catch {
      // The folder with the logs will be deleted, so the last lines are printed.
      let logs = try? await cluster.run("logs")
      print(logs ?? "")
      result = .failure(error)
    }
    _ = try? await cluster.run("down")
    try result.get()
  }

  /// Inflicts the fault on the leader, and returns the next leader.
  func inflict(_ fault: Fault, on leader: Leader) async throws -> Leader {
    let old = leader.node
    switch fault {
    case .kill: try await run("kill", old)
    case .cut: try await run("cut", old)
    case .off:
      try await run("unplug", old)
      try await run("kill", old)
    case .switchover: try await run("switchover", old)
    case .restart:
      for node in Self.nodes { try await run("kill", node) }
      for node in Self.nodes { try await run("start", node) }
    }
    return try await self.leader(besides: fault == .restart ? nil : old)
  }

  /// Starts the old leader again, and waits until all nodes replicate.
  func repair(_ fault: Fault, of old: Leader) async throws {
    switch fault {
    case .kill: try await run("start", old.node)
    case .cut: try await run("heal", old.node)
    case .off:
      try await run("plug", old.node)
      try await run("start", old.node)
    case .switchover, .restart: break
    }
    try await waitUntilWhole()
  }

  /// Fills the disk of a node, or frees the space again.
  func fill(_ leader: Leader, _ isFull: Bool) async throws {
    try await run(isFull ? "fill" : "empty", leader.node)
  }

  /// A server that accepts writes.
  struct Leader: Sendable {
    let node: Int
    /// The instant at which the test first saw that the server accepts writes.
    let since: ContinuousClock.Instant
    /// The same instant, by the clock of the server.
    let time: String
  }

  /// Waits for a server that accepts writes, and returns it.
  func leader(besides old: Int? = nil) async throws -> Leader {
    try await withThrowingTaskGroup(of: Leader?.self) { group in
      for node in Self.nodes where node != old {
        group.addTask { try await leader(node) }
      }
      while let found = try await group.next() {
        guard let found else { continue }
        group.cancelAll()
        return found
      }
      throw TestFailure("no node became the new leader")
    }
  }

  /// Waits until the node accepts writes.
  ///
  /// The result is nil if another node accepted writes first, or after 90 s.
  private func leader(_ node: Int) async throws -> Leader? {
    let deadline = ContinuousClock.now + .seconds(90)
    while !Task.isCancelled, ContinuousClock.now < deadline {
      let time = try? await sql(
        "select clock_timestamp() where not pg_is_in_recovery()", on: node)
      if let time = time?.first {
        return Leader(node: node, since: .now, time: time.filter { $0 != "\"" })
      }
      try? await Task.sleep(for: .milliseconds(50))
    }
    return nil
  }

  /// Waits until the leader has two standbys, including one that Patroni may promote.
  private func waitUntilWhole() async throws {
    try await eventually("a leader with two standbys", within: .seconds(120)) {
      let leader = try await leader()
      let standbys = try? await sql(
        "select from pg_stat_replication where state = 'streaming' and application_name ~ '^node'",
        on: leader.node)
      guard standbys?.count == 2 else { return false }
      return (try? await run("standby", leader.node)) != nil
    }
  }

  /// Runs one statement on a node.
  func sql(_ text: String, on node: Int, in schema: Schema = .standard) async throws -> [String] {
    let connection = try await Connection.open(
      ConnectionConfiguration(address: Self.address("10.197.3.\(node)")))
    do {
      let rows = try await connection.sql(text, in: schema)
      await connection.close()
      return rows
    } catch {
      await connection.close()
      throw error
    }
  }

  @discardableResult
  private func run(_ command: String, _ nodes: Int...) async throws -> String {
    let ended = try await TestProcess(
      Checkout.root.appending(path: "Tests/failover-cluster").path(),
      [folder.path, command] + nodes.map(String.init),
      environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"], directory: "/"
    ).wait()
    guard ended.status == 0 else {
      throw TestFailure("failover-cluster \(command): \(ended.output)\(ended.errors)")
    }
    return ended.output
  }
}
