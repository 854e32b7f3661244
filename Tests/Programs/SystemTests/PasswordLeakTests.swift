import BatonPostgres
import Foundation
import TestSupport
import Testing

/// Tests that passwords never appear in an output, in a list of processes, or in a core file,
/// whatever fails.
@Suite(.timeLimit(.minutes(5)))
struct PasswordLeakTests {
  /// The password contains all characters that an address must encode.
  private static let canary = "c4nary:@/?#%&=+ 'x\\"
  private static let encoded = canary.utf8.map { byte in
    "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
  }.joined()

  /// Returns addresses with the canary that fail at each stage, from parsing to the login.
  private static func failing() throws -> [String] {
    let port = try TestServer.loopbackPort
    let unused = try Listener.unusedPort()
    let quoted = canary.replacing("\\", with: "\\\\").replacing("'", with: "\\'")
    return [
      // The password is not encoded: libpq would parse parts of it as hosts, ports and databases.
      "postgresql://someone:\(canary)@127.0.0.1:\(port)/postgres",
      "postgresql://someone:c4nary@x@127.0.0.1/postgres", "postgresql://c4nary:c4nary/x@127.0.0.1",
      "postgresql://someone:\(encoded)@127.0.0.1:c4nary/postgres",
      "host=127.0.0.1 password=\(canary) port=\(port)",
      "host=127.0.0.1 password='\(quoted)' port=\(port) nonsense=1",
      "postgresql://someone:\(encoded)@127.0.0.1:\(port)/postgres?service=none",
      // The server, the host name or the role does not exist.
      "postgresql://someone:\(encoded)@127.0.0.1:\(unused)/postgres",
      "postgresql://someone:\(encoded)@no-such-host.invalid/postgres?connect_timeout=2",
      "host=127.0.0.1 port=\(port) user=someone dbname=postgres password='\(quoted)'",
      "host=db.invalid hostaddr=127.0.0.1 port=\(port) user=someone password='\(quoted)'",
    ]
  }

  @Test func `no error message contains a password`() async throws {
    _ = try TestServer.address
    for address in try Self.failing() {
      for command in [["jobs"], ["worker", "--until-idle", "--verbose"], ["bench", "--quick"]] {
        let ended = try await BatonProgram(environment: ["DATABASE_URL": address])
          .start(command).wait()
        let said = ended.output + ended.errors
        for part in ["c4nary", "/?#%", "x@127", "%63%34"] {
          #expect(!said.contains(part), "\(command): \(said)")
        }
        #expect([64, 69, 77].contains(ended.status), "\(said)")
      }
    }
  }

  @Test func `no list of processes or sessions has it`() async throws {
    try await withRole(password: Self.canary.replacing("'", with: "")) { role in
      try await TestSchema.with { test in
        let folder = try TemporaryFolder()
        let file = try folder.write("password", lines: [Self.canary.replacing("'", with: "")])
        try #require(chmod(file, 0o600) == 0)
        var gymrats = test.gymrats
        gymrats.environment["PGPASSWORD"] = ""
        gymrats.environment["BATON_PASSWORD_FILE"] = file
        gymrats.environment["DATABASE_URL"] =
          "postgresql://\(role)@127.0.0.1:\(try TestServer.loopbackPort)/\(test.name)"
        let worker = try gymrats.start("worker", "--verbose")
        defer { worker.signal(SIGKILL) }
        try await eventually("the worker") { worker.errorsSoFar.contains("working schema") }
        for list in ["cmdline", "environ", "comm"] {
          let bytes = try Data(contentsOf: URL(filePath: "/proc/\(worker.id)/\(list)"))
          #expect(!String(decoding: bytes, as: UTF8.self).contains("c4nary"), "\(list)")
        }
        var sessions: [String] = []
        try await eventually("its sessions") {
          sessions = try await test.sql(
            "select a::text from pg_stat_activity a where usename = '\(role)'")
          return !sessions.isEmpty
        }
        #expect(!sessions.joined().contains("c4nary"))
        worker.signal(SIGTERM)
        let ended = try await worker.wait()
        #expect(ended.status == 0 && !ended.errors.contains("c4nary"))
      }
    }
  }

  // MARK: Cores

  /// Whether the system writes a core file into the folder of the process, where a test can find
  /// it.
  private static let keepsCores: Bool = {
    let pattern = try? String(contentsOfFile: "/proc/sys/kernel/core_pattern", encoding: .utf8)
    return pattern?.hasPrefix("core") == true
  }()

  @Test(
    .enabled(if: keepsCores, "needs cores in the folder of a process"), arguments: [false, true])
  func `a process that may know a password leaves no core, unless somebody says so`(
    isAllowed: Bool
  ) async throws {
    let word = "c0re-canary-\(UInt64.random(in: .min ... .max))"
    try await TestSchema.with { test in
      let folder = try TemporaryFolder()
      var gymrats = test.gymrats
      gymrats.folder = folder.path
      gymrats.environment["PGPASSWORD"] = word
      if isAllowed { gymrats.environment["BATON_CORE_DUMPS"] = "1" }
      let worker = try gymrats.start(bash: #"ulimit -c unlimited; exec "$0" "$@""#, ["worker"])
      defer { worker.signal(SIGKILL) }
      try await eventually("the worker") { worker.errorsSoFar.contains("working schema") }
      worker.signal(SIGQUIT)
      let ended = try await worker.wait()
      #expect(ended.status == 128 + SIGQUIT)
      #expect(!ended.errors.contains(word))
      let cores = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      #expect(cores.isEmpty != isAllowed)
      // The core file would contain the password.
      for core in cores {
        let bytes = try Data(contentsOf: URL(filePath: "\(folder.path)/\(core)"))
        #expect(bytes.firstRange(of: Data(word.utf8)) != nil)
      }
    }
  }
}
