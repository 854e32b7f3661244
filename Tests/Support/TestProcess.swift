package import Foundation
import PrivateServer
import Synchronization

/// A program that a test runs.
///
/// The test can send signals to the program and wait for the end with a time limit.
///
/// The output is written to files, because a full pipe would block the program. Foundation's
/// `Process` is not used, because `Process` waits for the end of a socket that other child
/// processes may have inherited.
package final class TestProcess: Sendable {
  /// The exit status and the output of a program that has ended.
  package struct Ended: Sendable {
    /// The exit code, or 128 plus the number of the signal that ended the program.
    package let status: Int32
    /// The bytes that the program wrote to stdout.
    package let bytes: Data
    /// The text that the program wrote to stderr.
    package let errors: String
    /// The time from the start to the end of the program.
    package let duration: Duration

    /// The text that the program wrote to stdout.
    package var output: String { String(decoding: bytes, as: UTF8.self) }
  }

  /// The process id, which is invalid after the process has ended.
  package let id: Int32
  private let name: String
  private let folder: TemporaryFolder
  private let began = ContinuousClock.now
  private let end = Mutex<(status: Int32, at: ContinuousClock.Instant)?>(nil)

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - program: the path of the program.
  ///   - environment: the complete environment. No variables are inherited.
  ///   - directory: the working folder of the program.
  /// - Throws: `TestFailure` if the program cannot be started.
  package convenience init(
    _ program: String, _ arguments: [String], environment: [String: String], directory: String
  ) throws {
    try self.init(
      program, raw: arguments.map { Array($0.utf8) },
      environment: environment.mapValues { Array($0.utf8) }, directory: directory)
  }

  /// Starts a program with arguments and variables that may be arbitrary bytes.
  ///
  /// - Throws: `TestFailure` if the program cannot be started.
  package init(
    _ program: String, raw arguments: [[UInt8]], environment: [String: [UInt8]], directory: String
  ) throws {
    folder = try TemporaryFolder()
    name =
      ([URL(filePath: program).lastPathComponent]
      + arguments.map { String(decoding: $0, as: UTF8.self) }).joined(separator: " ")
    // A shell changes the folder, because POSIX cannot set the folder of a child process. The
    // `exec` command keeps the process id.
    let shell = ["/bin/sh", "-c", "cd \"$0\" && exec \"$@\"", directory, program]
    id = try Spawn(
      arguments: shell.map { Array($0.utf8) } + arguments,
      environment: environment.map { Array("\($0.key)=".utf8) + $0.value },
      output: folder.path + "/output", errors: folder.path + "/errors"
    ).start()
    Thread.detachNewThread { [self] in reap() }
  }

  /// Sends a signal to the process, or does nothing if the process has ended.
  package func signal(_ number: Int32) {
    // While the lock is held, the process is not reaped, so the process id does not belong to
    // another process.
    end.withLock { if $0 == nil { _ = kill(id, number) } }
  }

  /// Whether the process is still running.
  package var isRunning: Bool { end.withLock { $0 == nil } }

  /// The text that the program has written to stderr so far.
  package var errorsSoFar: String { String(decoding: read("errors"), as: UTF8.self) }

  /// Waits for the end of the process.
  ///
  /// - Throws: `TestFailure` if the process does not end in time. The process is then killed.
  package func wait(within limit: Duration = .seconds(120)) async throws -> Ended {
    do {
      try await eventually("the end of `\(name)`", within: limit) { !isRunning }
    } catch {
      signal(SIGKILL)
      throw TestFailure("\(error); stderr so far: \(errorsSoFar)")
    }
    guard let end = end.withLock({ $0 }) else { throw TestFailure("`\(name)` has not ended") }
    return Ended(
      status: end.status, bytes: read("output"),
      errors: String(decoding: read("errors"), as: UTF8.self), duration: end.at - began)
  }

  /// Waits for the end of the process, whose exit code must be `status`.
  ///
  /// - Throws: `TestFailure` with the text on stderr if the exit code differs, or if the process
  ///   does not end in time.
  @discardableResult
  package func end(
    with status: Int32, within limit: Duration = .seconds(120)
  ) async throws -> Ended {
    let ended = try await wait(within: limit)
    guard ended.status == status else {
      throw TestFailure(
        "`\(name)` ended with \(ended.status) after \(ended.duration): \(ended.errors)")
    }
    return ended
  }

  private func read(_ file: String) -> Data {
    (try? Data(contentsOf: URL(filePath: "\(folder.path)/\(file)"))) ?? Data()
  }

  /// Waits for the end before reaping the process, so that `signal` never uses the id of another
  /// process.
  private func reap() {
    var information = siginfo_t()
    while waitid(P_PID, id_t(id), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
    end.withLock { end in
      var status: Int32 = 0
      waitpid(id, &status, 0)
      let signal = status & 0x7f
      end = (signal == 0 ? (status >> 8) & 0xff : 128 + signal, .now)
    }
  }
}

/// The parameters of one call to `posix_spawn`.
private struct Spawn {
  let arguments: [[UInt8]]
  let environment: [[UInt8]]
  let output: String
  let errors: String

  func start() throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    let writing = O_WRONLY | O_CREAT | O_TRUNC
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, output, writing, 0o600)
    posix_spawn_file_actions_addopen(&actions, 2, errors, writing, 0o600)
    // All descriptors are closed in the child process, because another test checks whether a pipe
    // of the test is still open.
    let open = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    for descriptor in 3...(open.compactMap { Int32($0) }.max() ?? 3) + 64 {
      posix_spawn_file_actions_addclose(&actions, descriptor)
    }

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    Spawning.useDefaultSignals(&attributes)

    var child: pid_t = 0
    let code = Spawning.withCStrings(arguments) { arguments in
      Spawning.withCStrings(environment) { variables in
        posix_spawn(&child, "/bin/sh", &actions, &attributes, arguments, variables)
      }
    }
    guard code == 0 else {
      throw TestFailure("cannot start \(arguments): \(String(cString: strerror(code)))")
    }
    return child
  }
}
