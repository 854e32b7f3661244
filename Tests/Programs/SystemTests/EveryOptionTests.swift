import Foundation
import TestSupport
import Testing

/// Tests extreme values in each option and argument of each command of each program.
///
/// The commands come from the programs themselves, so new options are tested as well. Their server
/// does not exist, so a command refuses a value or tries to connect. ``ExtremeArgumentTests`` tests
/// numbers with a server.
@Suite(.timeLimit(.minutes(TestSize.isFull ? 60 : 10))) struct EveryOptionTests {
  /// A command, as printed by `--experimental-dump-help`.
  private struct Command: Decodable {
    struct Argument: Decodable {
      struct Name: Decodable {
        let kind: String
        let name: String
      }
      let kind: String
      let isOptional: Bool
      var names: [Name]?
      var valueName: String?
      var defaultValue: String?
    }
    let commandName: String
    var arguments: [Argument]?
    var subcommands: [Command]?

    /// Returns the command and all its subcommands, with their paths.
    func all(_ path: [String] = []) -> [(path: [String], command: Command)] {
      let below = (subcommands ?? []).filter { $0.commandName != "help" }
      return [(path, self)] + below.flatMap { $0.all(path + [$0.commandName]) }
    }
  }

  private static let values = [
    "-9223372036854775808", "9223372036854775807", "9223372036854775808",
    "1" + String(repeating: "0", count: 400), "-0", "-1", "1e308", "1e400", "nan", "inf", "-inf",
    "", " ", "0001-01-01T00:00:00Z", "1969-12-31T23:59:59Z", "9999-12-31T23:59:59Z",
    "10000-01-01T00:00:00Z", "294277-01-01", "2024-02-30", "106751991167300d24h",
    String(repeating: "3999999999d", count: 6_000), String(repeating: "9", count: 60_000),
    "\u{202E}1", "١٢", "a=9223372036854775808", "1..0", "2024-02-01..2024-01-01", "1:0", "0:inf",
    "127.0.0.1:65536", "127.0.0.1:-1", "[::1]:99999999999", "nan:nan", "5-1", "1/0",
  ]

  /// Returns calls with each value of a sample in each option and argument of a command.
  private func calls(_ path: [String], _ command: Command) -> [[String]] {
    let arguments = command.arguments ?? []
    // Required arguments have a text, so that the tested value is also parsed.
    let required = arguments.filter { $0.kind == "positional" && !$0.isOptional }.map { _ in "x" }
    return arguments.filter { $0.kind != "flag" }.flatMap { argument in
      Randomness.sample(2, of: Self.values).map { value in
        guard argument.kind == "option" else {
          return path + ["--"] + required.dropLast() + [value]
        }
        let long = argument.names?.first { $0.kind == "long" }?.name ?? argument.valueName ?? ""
        return path + ["--\(long)=\(value)"] + required
      }
    }
  }

  @Test(.sampled(), arguments: ["gymrats", "whosthere", "baton"])
  func `each option refuses a value or accepts it, and no value ends the process`(
    program: String
  ) async throws {
    let folder = try TemporaryFolder()
    let port = try Listener.unusedPort()
    let baton = BatonProgram(
      executable: try BatonProgram.path(of: program),
      environment: ["DATABASE_URL": "postgresql://x@127.0.0.1:\(port)/x?connect_timeout=2"],
      folder: folder.path)
    struct Dump: Decodable { let command: Command }
    let dump = try JSONDecoder().decode(
      Dump.self, from: Data(try await baton.succeed("--experimental-dump-help").utf8))
    // The commands `db`, `dev` and `demo` start servers.
    let commands = dump.command.all().filter { !["db", "dev", "demo"].contains($0.path.first) }
    let cases = commands.flatMap { calls($0.path, $0.command) }
    #expect(cases.count >= 25)
    let all = Randomness.sample(12, of: cases)
    let failures = try await withThrowingTaskGroup(of: [String].self) { group in
      for lane in 0..<3 {
        group.addTask {
          var failures: [String] = []
          for place in stride(from: lane, to: all.count, by: 3) {
            let started = try baton.start(all[place])
            // Some commands wait for their server. A trap would end the process immediately.
            let ended = try? await started.wait(within: .seconds(4))
            guard let ended else {
              started.signal(SIGKILL)
              continue
            }
            if !(0...78).contains(ended.status) || ended.status == 70 {
              let call = all[place].map { "\($0.prefix(60))" }.joined(separator: " ")
              failures.append("\(call): \(ended.status) \(ended.errors.suffix(300))")
            }
          }
          return failures
        }
      }
      return try await group.reduce(into: [String]()) { $0 += $1 }
    }
    print("\(program): ran \(all.count) commands")
    #expect(failures.isEmpty, "\(failures.count): \(failures.prefix(20).joined(separator: "\n"))")
  }
}
