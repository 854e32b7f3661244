import Foundation
import TestSupport
import Testing

/// Tests completion in a shell, installed as docs/guides/deploying.md describes, with each
/// program's own name.
@Suite(.timeLimit(.minutes(5))) struct CompletionTests {
  /// A program with a typed text, the offered completions, and texts that must not be offered.
  private struct Named: Sendable, CustomTestStringConvertible {
    let name: String
    let path: @Sendable () throws -> String
    let offers: [(typed: String, offered: String, not: String)]
    var testDescription: String { name }
  }

  private static let runner = [
    ("wor", "worker", "runs"), ("serv", "serve", "schedule"),
    ("worker --http-", "--http-host", "--jobs"),
    ("runs dis", "discard", "retry"), ("run --d", "--dry-run", "--json"),
  ]

  private static let programs = [
    Named(
      name: "gymrats", path: { try BatonProgram.path },
      offers: runner + [
        ("boa", "board", "worker"), ("ver", "verify", "week"), ("expl", "explain-rank", "enqueue"),
        ("board --j", "--json", "--all"),
      ]),
    Named(
      name: "orders", path: { try ExampleProgram.path("orders") },
      offers: runner + [("to-", "to-pack", "worker"), ("boa", "", "board")]),
  ]

  /// Runs the page's commands for a program in a new home folder, and returns that folder.
  private func install(_ program: Named) async throws -> TemporaryFolder {
    let page = try ExampleProgram.text("docs/guides/deploying.md")
    let block = try #require(
      page.components(separatedBy: "```").first { $0.contains("--generate-completion-script bash") }
    )
    let home = try TemporaryFolder()
    let folder = URL(filePath: try program.path()).deletingLastPathComponent()
    let shell = BatonProgram(
      executable: try program.path(),
      environment: [
        "HOME": home.path, "PATH": folder.path(percentEncoded: false) + ":/usr/bin:/bin",
      ])
    let lines = block.replacing("gymrats", with: program.name).split(separator: "\n").dropFirst()
    let ended = try await shell.run(bash: "set -eu\n" + lines.joined(separator: "\n"), [])
    #expect(ended.status == 0 && ended.errors == "", "\(ended.errors)")
    return home
  }

  @Test(.sampled(), arguments: programs)
  private func `bash completes commands, their parts and options`(program: Named) async throws {
    let home = try await install(program)
    // The folder in which bash-completion searches for a program's file.
    let file = "\(home.path)/.local/share/bash-completion/completions/\(program.name)"
    for (typed, offered, not) in program.offers {
      let words = "\(program.name) \(typed)"
      let line = """
        source '\(file)'; COMP_LINE='\(words)'; COMP_WORDS=(\(words)); COMP_POINT=${#COMP_LINE}
        COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); PATH="$(dirname "$0"):$PATH"
        function=$(complete -p \(program.name) | sed -E 's/.* -F ([^ ]+) .*/\\1/')
        $function \(program.name) "${COMP_WORDS[COMP_CWORD]}" ""; printf '%s\n' "${COMPREPLY[@]}"
        """
      let ended = try await BatonProgram(executable: try program.path()).run(bash: line, [])
      let offers = ended.output.split(separator: "\n", omittingEmptySubsequences: offered != "")
        .map { $0.filter { $0 != " " } }
      #expect(
        offers.contains(offered) && !offers.contains(not), "\(words): \(offers) \(ended.errors)")
    }
  }

  @Test(.sampled(), arguments: programs)
  private func `each shell's script is for that program and has all its commands`(
    program: Named
  ) async throws {
    let home = try await install(program)
    let help = try await BatonProgram(executable: try program.path()).succeed("--help")
    let listed = help.split(separator: "\n").drop { !$0.hasPrefix("SUBCOMMANDS") }.dropFirst()
      .prefix { $0.hasPrefix("  ") }.filter { !$0.hasPrefix("   ") && !$0.contains("See '") }
    let commands = listed.compactMap { $0.split(separator: " ").first }.map(String.init)
    #expect(commands.count >= 11)
    let other = program.name == "gymrats" ? "orders" : "gymrats"
    for (file, mark) in [
      (".local/share/bash-completion/completions/NAME", "-F _NAME NAME"),
      (".zsh/_NAME", "#compdef NAME\n"),
      (".config/fish/completions/NAME.fish", "complete -c 'NAME'"),
    ] {
      let path = "\(home.path)/\(file.replacing("NAME", with: program.name))"
      let script = try String(contentsOfFile: path, encoding: .utf8)
      #expect(script.contains(mark.replacing("NAME", with: program.name)), "\(file)")
      let words = Set(script.split { !($0.isLetter || $0 == "-") }.map(String.init))
      #expect(commands.filter { !words.contains($0) } == [], "\(file)")
      // The folder of the private server is `.baton/` for all programs.
      let lines = script.replacing(".baton/", with: "").split(separator: "\n")
      #expect(lines.filter { $0.contains(other) } == [], "\(file)")
    }
  }
}
