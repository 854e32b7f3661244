import BatonPostgres
import Foundation
import TestSupport
import Testing

/// A worker whose server has a name that the resolver no longer finds.
@Suite(.timeLimit(.minutes(5)))
struct SilentResolverTests {
  @Test(.sampled(), .enabled(if: MountedFiles.isAllowed, "needs root"))
  func `a resolver that does not answer stops no heartbeat and no signal`() async throws {
    let resolver = try SilentResolver()
    let folder = try TemporaryFolder()
    let (hosts, settings) = (folder.path + "/hosts", folder.path + "/resolv.conf")
    try "127.0.0.1 server.test\n".write(toFile: hosts, atomically: false, encoding: .utf8)
    try "nameserver \(resolver.address)\n".write(
      toFile: settings, atomically: false, encoding: .utf8)
    try await LoopbackLogin.make()
    try await TestSchema.with { schema in
      let address = LoopbackLogin.address(
        port: try TestServer.loopbackPort, database: schema.configuration.database)
      let worker = try BatonProgram(environment: [
        "DATABASE_URL": address.replacing("127.0.0.1", with: "server.test") + "?sslmode=disable",
        "BATON_SCHEMA": schema.schema.name,
      ]).start(
        bash: MountedFiles.bash([(hosts, "/etc/hosts"), (settings, "/etc/resolv.conf")]),
        ["worker"])
      defer { worker.signal(SIGKILL) }
      try await eventually("the worker's heartbeat connection") {
        guard worker.isRunning else { throw TestFailure(worker.errorsSoFar) }
        return try await schema.sql("select count(*) from worker where pid <> dispatcher_pid")
          == ["1"]
      }
      // From now on, only the resolver could find the server. The heartbeats stay connected.
      try "\n".write(toFile: hosts, atomically: false, encoding: .utf8)
      try await schema.sql("select pg_terminate_backend(dispatcher_pid) from worker")
      try await eventually("a question to the resolver") { resolver.isAsked }
      try await schema.expectHeartbeats()
      try await worker.expectEnd()
    }
  }
}

/// A name server that receives questions and never answers.
private final class SilentResolver: Sendable {
  let address: String
  private let descriptor: Int32

  init() throws {
    // Each test run has its own address of the loopback network.
    let bytes: [UInt8] = [127, 77, .random(in: 1...254), .random(in: 1...254)]
    address = bytes.map { "\($0)" }.joined(separator: ".")
    descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var place = sockaddr_in()
    place.sin_family = sa_family_t(AF_INET)
    place.sin_port = in_port_t(53).bigEndian
    place.sin_addr.s_addr = inet_addr(address)
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafePointer(to: &place) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) == 0 }
    }
    guard isBound else { throw TestFailure("cannot bind \(address):53") }
  }

  deinit { close(descriptor) }

  /// Whether the server has received a question.
  var isAsked: Bool {
    var set = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&set, 1, 0) == 1
  }
}
