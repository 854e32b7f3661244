import Foundation

/// A program that is run to its end.
///
/// Foundation's `Process` cannot be used: it waits until a socket is closed that all descendants of the child inherit.
/// Waiting for pg_ctl would therefore mean waiting for the server that pg_ctl starts.
struct Program {
  let path: String
  let arguments: [String]
  var workingDirectory = "/"
  /// A folder that is opened for the child as descriptor `ServerAccount.folderDescriptor`.
  var folder: String?

  /// Runs the program; both of its outputs go to `output`.
  ///
  /// If there is a lock, the child and all of its descendants inherit it as descriptor 3.
  ///
  /// - Parameters:
  ///   - output: a descriptor that is open for writing.
  ///   - lock: the lock that the child holds together with the caller.
  /// - Returns: the exit status; 128 plus its number for a signal.
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

  /// Runs the program and returns its output; nil if it fails.
  func output() throws(PrivateServerError) -> String? {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw .system("Cannot make a pipe to a program", path) }
    let (reading, writing) = (ends[0], ends[1])
    defer { close(reading) }
    let status: Int32
    do {
      defer { close(writing) }
      // The output is a line or two, so it fits into the pipe before it is read.
      status = try run(output: writing)
    }
    var buffer = [UInt8](repeating: 0, count: 4_096)
    let count = read(reading, &buffer, buffer.count)
    guard status == 0, count >= 0 else { return nil }
    return String(decoding: buffer[..<count], as: UTF8.self)
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// The path of the program with this name.
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

    // The child does not get the caller's environment: PGPORT, PGDATA and others would change the server.
    let environment = ["PATH=\(Self.searchPath)", "LC_ALL=C"]
    var child: pid_t = 0
    // A shell is needed, because POSIX has no way to set the folder in which a child starts. The server's user may be
    // unable to enter the caller's folder, and then PostgreSQL's programs fail.
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

  /// Closes the caller's descriptors in the child, because a server that outlives the caller must not hold them.
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
    // Closing a descriptor that is not open is not an error here; other threads may open some meanwhile.
    let open = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    for descriptor in folderDescriptor + 1...(open.compactMap { Int32($0) }.max() ?? 0) + 64 {
      posix_spawn_file_actions_addclose(&actions, descriptor)
    }
  }
}
