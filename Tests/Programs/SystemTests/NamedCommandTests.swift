import Foundation
import TestSupport
import Testing

/// Tests the commands that messages and help texts name as the next step.
@Suite(.timeLimit(.minutes(5))) struct NamedCommandTests {
  /// A command line in a message, such as `jobs retire \(job) --undo`.
  private struct Named: Hashable {
    /// The program whose help must contain the command and the options.
    let program: String
    let words: [String]
  }

  /// The files whose messages only a program with job code prints.
  ///
  /// `baton` has no code of the commands that these files name, such as `worker` and `dev`.
  private static let ofPrograms: Set = [
    "Program.swift", "RunCommand.swift", "WorkerCommand.swift", "DevCommand.swift",
    "DevelopmentServer.swift", "PeopleLog.swift", "Complaint+Errors.swift",
    "Complaint+Schema.swift", "APIOptions.swift",
  ]

  /// Returns the command lines that the strings of the sources name.
  private static func named() throws -> Set<Named> {
    var found: Set<Named> = []
    for folder in ["Sources", "jobs", "sql"] {
      let root = Checkout.root.appending(path: folder)
      let paths = try FileManager.default.subpathsOfDirectory(atPath: root.path())
      for path in paths where path.hasSuffix(".swift") || path.hasSuffix(".sql") {
        let text = try String(contentsOf: root.appending(path: path), encoding: .utf8)
        let file = URL(filePath: path).lastPathComponent
        for line in text.split(separator: "\n") {
          let start = line.drop { $0 == " " }
          if start.hasPrefix("//") || start.hasPrefix("--") { continue }
          let names = line.matches(
            of: /`(\\\(Program\.name\)|baton|gymrats|whosthere) ([a-z][^`"]*)/)
          for match in names {
            let own = ofPrograms.contains(file) ? "gymrats" : "baton"
            found.insert(
              Named(
                program: match.1.hasPrefix("\\") ? own : String(match.1),
                words: match.2.split(separator: " ").map(String.init)))
          }
          // The hints of SQL functions do not know the name of the program.
          guard path.hasSuffix(".sql") else { continue }
          for match in line.matches(of: /The command `([a-z][^`]*)`/) {
            found.insert(
              Named(program: "baton", words: match.1.split(separator: " ").map(String.init)))
          }
        }
      }
    }
    return found
  }

  @Test(.sampled()) func `each command that a message names exists, with the named options`()
    async throws
  {
    let all = try Self.named()
    #expect(all.count > 40)
    for named in all {
      let program = BatonProgram(executable: try BatonProgram.path(of: named.program))
      let command = named.words.prefix(2).filter { $0.wholeMatch(of: /[a-z][a-z-]*/) != nil }
      let help = try await program.succeed(command + ["--help"])
      let usage = help.split(separator: "\n").first { $0.hasPrefix("USAGE: ") } ?? ""
      // The second word is a subcommand, or an argument of a command without subcommands.
      #expect(
        usage.hasPrefix("USAGE: \(named.program) \(command.joined(separator: " "))")
          || usage.hasPrefix("USAGE: \(named.program) \(command[0]) ")
            && !usage.contains("<subcommand>"),
        "\(named): \(usage)")
      #expect(!help.contains("Print the name of the program that contains"), "\(named)")
      for option in named.words where option.hasPrefix("--") {
        let name = option.prefix { $0 == "-" || $0.isLetter }
        #expect(help.contains(name), "\(named)")
      }
    }
  }
}
