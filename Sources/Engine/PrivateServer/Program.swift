import Foundation

/// A child program that runs to completion.
///
/// Foundation's `Process` opens a socket that the child and all of its descendants inherit.
/// `Process` waits until all these programs have closed the socket. With `Process`, a caller of
/// pg_ctl would also wait for the server that pg_ctl starts.
struct Program {
  let path: String
  let arguments: [String]
  var workingDirectory = "/"
  /// A folder that is opened for the child as descriptor `ServerAccount.folderDescriptor`.
  var folder: String?

  /// Runs the program, and waits until it ends.
  ///
  /// The program's stdout and stderr go to `output`. If a lock is given, the child and all of its
  /// descendants inherit the lock as descriptor 3.
  ///
  /// - Parameters:
  ///   - output: a descriptor that is open for writing.
  ///   - lock: the lock that the child shares with the caller.
  /// - Returns: the exit status, or 128 plus the signal number.
  /// - Throws: `PrivateServerError` if the program cannot be started.
  func run(output: Int32, lock: FileLock? = nil) throws(PrivateServerError) -> Int32 {
    let child = try start(output: output, lock: lock)
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0 {
      guard errno == EINTR else { throw .system("Cannot wait for a program", path) }
    }
    let signal = status & 0x7f
    return signal == 0 ? (status >> 8) & 0xff : 128 + signal
  }

  /// Runs the program and returns its output, or nil if the program fails.
  func output() throws(PrivateServerError) -> String? {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw .system("Cannot make a pipe to a program", path) }
    let (reading, writing) = (ends[0], ends[1])
    defer { close(reading) }
    let status: Int32
    do {
      defer { close(writing) }
      // The output has only one or two lines, so a pipe can hold all of it.
      status = try run(output: writing)
    }
    var buffer = [UInt8](repeating: 0, count: 4_096)
    let count = read(reading, &buffer, buffer.count)
    guard status == 0, count >= 0 else { return nil }
    return String(decoding: buffer[..<count], as: UTF8.self)
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Returns the path of the program with this name, or nil if the program is missing.
  static func find(_ name: String) -> String? {
    searchPath.split(separator: ":").map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
  }

  private static var searchPath: String {
    let own = ProcessInfo.processInfo.environment["PATH"].map { $0 + ":" } ?? ""
    return own + "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
  }

  private func start(output: Int32, lock: FileLock?) throws(PrivateServerError) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    addDescriptors(to: &actions, output: output, lock: lock)

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // The child has its own process group, so that it does not receive the terminal's Ctrl-C.
    posix_spawnattr_setpgroup(&attributes, 0)
    Spawning.useDefaultSignals(&attributes, flags: Int32(POSIX_SPAWN_SETPGROUP))

    // The child does not inherit the caller's environment, because variables such as PGPORT and
    // PGDATA would affect the server.
    let environment = ["PATH=\(Self.searchPath)", "LC_ALL=C"]
    var child: pid_t = 0
    // POSIX cannot set the folder in which a child starts, so a shell changes to the folder. If the
    // server's user cannot enter the caller's folder, PostgreSQL's programs would fail in that
    // folder.
    let shell = "/bin/sh"
    let script = [shell, "-c", "cd \"$0\" && exec \"$@\"", workingDirectory, path] + arguments
    let code = Spawning.withCStrings(script.map { Array($0.utf8) }) { arguments in
      Spawning.withCStrings(environment.map { Array($0.utf8) }) { environment in
        posix_spawn(&child, shell, &actions, &attributes, arguments, environment)
      }
    }
    guard code == 0 else {
      errno = code
      throw .system("Cannot run a program", shell)
    }
    return child
  }

  /// Closes the caller's descriptors in the child.
  ///
  /// A server that outlives the caller must not keep the caller's descriptors open.
  private func addDescriptors(
    to actions: inout posix_spawn_file_actions_t, output: Int32, lock: FileLock?
  ) {
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, output, 1)
    posix_spawn_file_actions_adddup2(&actions, output, 2)
    if let lock {
      posix_spawn_file_actions_adddup2(&actions, lock.descriptor, 3)
    } else {
      posix_spawn_file_actions_addopen(&actions, 3, "/dev/null", O_RDONLY, 0)
    }
    let folderDescriptor = ServerAccount.folderDescriptor
    posix_spawn_file_actions_addopen(
      &actions, folderDescriptor, folder ?? "/dev/null", O_RDONLY, 0)
    // Closing a descriptor that is not open is not an error. The range of closed descriptors is
    // larger than necessary, because other threads may open descriptors while the range is
    // computed.
    let open = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    for descriptor in folderDescriptor + 1...(open.compactMap { Int32($0) }.max() ?? 0) + 64 {
      posix_spawn_file_actions_addclose(&actions, descriptor)
    }
  }
}
