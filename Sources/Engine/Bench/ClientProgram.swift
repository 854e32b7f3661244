import BatonPostgres
import Foundation
import PrivateServer
import Synchronization

/// The `psql` or `pgbench` program, connected to the bench's database.
struct ClientProgram: Sendable {
  let path: String
  let environment: [String: String]

  /// Finds the installed program and sets its environment.
  ///
  /// - Throws: ``BenchRefusal/programMissing(_:)``, or `PostgresError` if the password file cannot
  ///   be used.
  init(_ name: String, configuration: ConnectionConfiguration) throws {
    guard let path = PrivateServer.program(named: name) else {
      throw BenchRefusal.programMissing(name)
    }
    self.path = path
    environment = try ProcessInfo.processInfo.environment
      .merging(configuration.environment) { $1 }
      .merging(["PGAPPNAME": "baton bench", "LC_ALL": "C"]) { $1 }
  }

  /// Runs the program and returns its output.
  ///
  /// If the task is cancelled, the program is terminated.
  ///
  /// - Throws: ``BenchRefusal/programFailed(_:output:)``, `CancellationError`.
  func run(_ arguments: [String]) async throws -> String {
    let output = FileManager.default.temporaryDirectory
      .appending(path: "baton-bench-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: output) }
    let status = try await Child(
      [path] + arguments, environment: environment, output: output.path(percentEncoded: false)
    ).end()
    try Task.checkCancellation()
    let text = String(decoding: try Data(contentsOf: output), as: UTF8.self)
    guard status == 0 else {
      let name = URL(filePath: path).lastPathComponent
      throw BenchRefusal.programFailed(name, output: text)
    }
    return text
  }
}

/// A child process that is terminated when the task is cancelled.
///
/// Foundation's `Process` is not used: its child inherits the signals that the parent thread
/// blocks. With SIGALRM blocked, pgbench would never end, because it measures time with SIGALRM.
private final class Child: Sendable {
  private let id: pid_t
  private let isOver = Mutex(false)

  init(_ command: [String], environment: [String: String], output: String) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    posix_spawn_file_actions_adddup2(&actions, 1, 2)

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))

    let arguments = command.map { strdup($0) } + [nil]
    let variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for copy in arguments + variables { free(copy) } }
    var child: pid_t = 0
    guard posix_spawn(&child, command[0], &actions, &attributes, arguments, variables) == 0 else {
      throw BenchRefusal.programMissing(command[0])
    }
    id = child
  }

  /// Waits for the process and returns its exit status.
  ///
  /// If a signal ended the process, the method returns 128 plus the signal number.
  func end() async throws -> Int32 {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        Thread.detachNewThread { [self] in continuation.resume(returning: reap()) }
      }
    } onCancel: {
      // The lock prevents `reap` from releasing the process id before `kill` uses it.
      isOver.withLock { if !$0 { _ = kill(id, SIGTERM) } }
    }
  }

  private func reap() -> Int32 {
    var information = siginfo_t()
    while waitid(P_PID, id_t(id), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
    return isOver.withLock { isOver in
      isOver = true
      var status: Int32 = 0
      waitpid(id, &status, 0)
      let signal = status & 0x7f
      return signal == 0 ? (status >> 8) & 0xff : 128 + signal
    }
  }
}
