import Foundation
import Synchronization

/// A program that is run to its end, in its own process group.
struct Program {
  /// The running process groups, so that Ctrl-C also ends them.
  private static let running = Mutex<Set<pid_t>>([])

  let arguments: [String]
  /// Variables in addition to the current environment.
  var environment: [String: String] = [:]
  /// The file for both outputs.
  let log: URL

  /// Runs the program.
  ///
  /// Returns nil if it exceeded its time, and was ended together with all its child processes.
  ///
  /// - Throws: `MutantError` if the program cannot be started.
  func run(seconds: Int) throws -> Int32? {
    let child = try start()
    defer { _ = Self.running.withLock { $0.remove(child) } }
    let deadline = ContinuousClock.now + .seconds(seconds)
    var status: Int32 = 0
    while waitpid(child, &status, WNOHANG) == 0 {
      guard .now < deadline else {
        Self.end(child)
        return nil
      }
      usleep(20_000)
    }
    // Processes that a test has left running would disturb the next test.
    kill(-child, SIGKILL)
    let signal = status & 0x7f
    return signal == 0 ? (status >> 8) & 0xff : 128 + signal
  }

  /// Ends the running programs when this process must end.
  ///
  /// The caller must keep the result as long as signals must be handled.
  static func endOnSignal() -> [any DispatchSourceSignal] {
    signals.map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        // The lock is never released, so no further program starts.
        running.withLock { children in
          for child in children { kill(-child, SIGTERM) }
          exit(128 + number)
        }
      }
      source.resume()
      return source
    }
  }

  private static let signals = [SIGINT, SIGTERM]

  private static func end(_ child: pid_t) {
    kill(-child, SIGTERM)
    for _ in 0..<100 where kill(-child, 0) == 0 { usleep(50_000) }
    kill(-child, SIGKILL)
    waitpid(child, nil, 0)
  }

  private func start() throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, log.path(), O_WRONLY | O_CREAT | O_TRUNC, 0o644)
    posix_spawn_file_actions_adddup2(&actions, 1, 2)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    posix_spawnattr_setpgroup(&attributes, 0)
    var defaults = sigset_t()
    sigemptyset(&defaults)
    for number in Self.signals { sigaddset(&defaults, number) }
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF))
    let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    let words = (["/usr/bin/env"] + arguments).map { strdup($0) } + [nil]
    let pairs = variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { (words + pairs).forEach { free($0) } }
    // The program starts under the lock, so that a signal also ends this program.
    let child: pid_t? = Self.running.withLock { running in
      var child: pid_t = 0
      guard posix_spawn(&child, "/usr/bin/env", &actions, &attributes, words, pairs) == 0 else {
        return nil
      }
      running.insert(child)
      return child
    }
    guard let child else {
      throw MutantError("cannot run \(arguments.joined(separator: " "))")
    }
    return child
  }
}
