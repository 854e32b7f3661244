import Foundation
import TestSupport

/// The program strace, which kills processes at chosen calls.
enum Strace {
  private static let program = "/usr/bin/strace"

  static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: program) }

  /// Runs gymrats and kills it at its k-th call.
  ///
  /// Returns false if it ended before that call.
  ///
  /// - Parameter files: the files whose calls count, or none for all calls.
  static func kill(
    at call: String, number: Int, _ gymrats: BatonProgram, _ arguments: [String],
    onlyFor files: [String] = []
  ) async throws -> Bool {
    let options =
      ["-f", "-qq", "-o", "/dev/null"] + files.flatMap { ["-P", $0] } + [
        "-e", "trace=\(call)", "-e", "inject=\(call):signal=KILL:when=\(number)",
        try BatonProgram.path,
      ]
    let environment = gymrats.environment.merging(["PATH": "/usr/bin:/bin"]) { own, _ in own }
    let ended = try await TestProcess(
      program, options + arguments, environment: environment, directory: "/"
    ).wait(within: .seconds(60))
    guard ended.status == 0 || ended.status == 137 else {
      throw TestFailure("strace ended with \(ended.status): \(ended.errors)")
    }
    return ended.status == 137
  }
}
