import Challenges
import Foundation

/// A file that is replaced as a whole: after a crash or a power failure it has its old or its new content.
struct DurableFile: Sendable {
  /// What the file system refused.
  struct Failure: Error, CustomStringConvertible {
    let call: String
    let path: String
    let code: Int32

    /// The call, the file and the reason.
    var description: String { "\(call) \(path): \(String(cString: strerror(code)))" }
  }

  /// More than was to be read.
  struct TooLarge: Error {}

  let path: String
  private var besidePath: String { path + ".new" }

  init(_ path: String) { self.path = path }

  /// The file's content; nil if the file does not exist.
  func content(limit: Int) throws -> [UInt8]? {
    // Without `O_NONBLOCK`, opening a pipe would wait for its other end.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    if descriptor < 0, errno == ENOENT { return nil }
    try check(descriptor, "open")
    defer { close(descriptor) }
    var information = stat()
    try check(fstat(descriptor, &information), "fstat")
    guard information.st_mode & S_IFMT == S_IFREG, information.st_size <= limit else {
      throw TooLarge()
    }
    var bytes = [UInt8](repeating: 0, count: Int(information.st_size))
    var count = 0
    while count < bytes.count {
      let taken = bytes.withUnsafeMutableBytes { buffer in
        read(descriptor, buffer.baseAddress.map { $0 + count }, buffer.count - count)
      }
      if taken < 0, errno == EINTR { continue }
      try check(Int32(clamping: taken), "read")
      if taken == 0 { break }
      count += taken
    }
    return Array(bytes.prefix(count))
  }

  /// Replaces the file's content.
  ///
  /// The bytes are written to another file in the same folder and reach the disk before the rename does; then the
  /// folder is synced, because it contains the name. At whatever moment the process is killed, the name refers to one
  /// whole file.
  func replace(with bytes: [UInt8], mustLast: Bool = true) throws {
    let descriptor = open(besidePath, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    try check(descriptor, "open")
    do {
      defer { close(descriptor) }
      var count = 0
      while count < bytes.count {
        let taken = bytes.withUnsafeBytes { buffer in
          write(descriptor, buffer.baseAddress.map { $0 + count }, buffer.count - count)
        }
        if taken < 0, errno == EINTR { continue }
        try check(Int32(clamping: taken), "write")
        count += taken
      }
      if mustLast { try check(synchronize(descriptor), "fsync") }
    }
    try check(rename(besidePath, path), "rename")
    guard mustLast else { return }
    let folder = open(parent, O_RDONLY | O_CLOEXEC)
    try check(folder, "open")
    defer { close(folder) }
    try check(synchronize(folder), "fsync")
  }

  /// Renames a bad file, so that a new one can take its place; at most nine are kept.
  ///
  /// - Returns: the new path.
  func putAside() throws -> String {
    let names = (1...9).map { "\(path).unreadable-\($0)" }
    let name = names.first { access($0, F_OK) != 0 } ?? names[names.count - 1]
    try check(rename(path, name), "rename")
    return name
  }

  private var parent: String {
    let folder = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[..<$0]) } ?? "."
    return folder.isEmpty ? "/" : folder
  }

  private func check(_ result: Int32, _ call: String) throws {
    guard result < 0 else { return }
    throw Failure(call: call, path: path, code: errno)
  }
}

/// Waits until the disk has it.
///
/// On Apple's systems fsync leaves it in the drive's own memory.
private func synchronize(_ descriptor: Int32) -> Int32 {
  #if canImport(Darwin)
    if fcntl(descriptor, F_FULLFSYNC) == 0 { return 0 }
  #endif
  return fsync(descriptor)
}

/// Keeps a file to one owner, among processes and within one; its end, however it comes, is a release.
final class FileLock: Sendable {
  private let descriptor: Int32

  /// Takes the lock; nil if another process or queue has it.
  init?(_ path: String) throws {
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw DurableFile.Failure(call: "open", path: path, code: errno)
    }
    // The property comes last: a lock that was made would be closed twice.
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      close(descriptor)
      return nil
    }
    self.descriptor = descriptor
  }

  deinit {
    // Closing is not enough: a process that is being started has the descriptor until it runs its program.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }
}
