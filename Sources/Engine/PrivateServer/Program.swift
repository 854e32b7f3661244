import Foundation

/// A program that we run to its end.
///
/// Not Foundation's `Process`: that one waits for the end of a socket which all descendants of the
/// child inherit, so that waiting for pg_ctl would be waiting for the server it starts.
struct Program {
  let path: String
  let arguments: [String]
  var workingDirectory = "/"
  /// Opened for the child as descriptor `ServerAccount.folderDescriptor`.
  var folder: String?

  /// Runs it, both outputs going to `output`.
  ///
  /// With a lock, the child and all that it starts inherit it as descriptor 3.
  ///
  /// - Parameters:
  ///   - output: a descriptor open for writing.
  ///   - lock: what the child holds on to beside us.
  /// - Returns: the exit status; 128 and more for a signal.
  /// - Throws: `PrivateServerError` where it cannot be started.
  func run(output: Int32, lock: FileLock? = nil) throws(PrivateServerError) -> Int32 {
    let child = try start(output: output, lock: lock)
    var status: Int32 = 0
    while waitpid(child, &status, 0) < 0 {
      guard errno == EINTR else { throw .system("Cannot wait for a program", path) }
    }
    let signal = status & 0x7f
    return signal == 0 ? (status >> 8) & 0xff : 128 + signal
  }

  /// Runs it and answers what it prints, nil where it fails.
  func output() throws(PrivateServerError) -> String? {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw .system("Cannot make a pipe to a program", path) }
    let (reading, writing) = (ends[0], ends[1])
    defer { close(reading) }
    let status: Int32
    do {
      defer { close(writing) }
      // The text is a line or two, so it fits into the pipe before anybody reads.
      status = try run(output: writing)
    }
    var buffer = [UInt8](repeating: 0, count: 4_096)
    let count = read(reading, &buffer, buffer.count)
    guard status == 0, count >= 0 else { return nil }
    return String(decoding: buffer[..<count], as: UTF8.self)
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Where a program of this name is.
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
    // A process group of its own, away from the terminal's Ctrl-C.
    posix_spawnattr_setpgroup(&attributes, 0)
    Spawning.useDefaultSignals(&attributes, flags: Int32(POSIX_SPAWN_SETPGROUP))

    // Not the caller's environment: PGPORT, PGDATA and the like change what the server does.
    let environment = ["PATH=\(Self.searchPath)", "LC_ALL=C"]
    var child: pid_t = 0
    // A shell, because POSIX has no way to say in which folder a child begins. The caller's may be
    // one that the server's user cannot enter, where PostgreSQL's programs give up.
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

  /// Nothing of the caller's is left open in a server that outlives it.
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
    // To close one that is not open is no error here; some may be opened in the meantime.
    let open = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    for descriptor in folderDescriptor + 1...(open.compactMap { Int32($0) }.max() ?? 0) + 64 {
      posix_spawn_file_actions_addclose(&actions, descriptor)
    }
  }
}
