import Challenges
import Foundation

/// A file that is always replaced as a whole.
///
/// After a crash or a power failure, the file has either its old or its new content, unless the
/// content was replaced without a sync.
struct DurableFile: Sendable {
  /// The error for a failed system call on a file.
  struct Failure: Error, CustomStringConvertible {
    let call: String
    let path: String
    let code: Int32

    /// The name of the system call, the file's path and the reason.
    var description: String { "\(call) \(path): \(String(cString: strerror(code)))" }
  }

  /// The error for a file that is larger than the limit.
  struct TooLarge: Error {}

  let path: String
  private var besidePath: String { path + ".new" }

  init(_ path: String) { self.path = path }

  /// Returns the file's content, or nil if it does not exist.
  func content(limit: Int) throws -> [UInt8]? {
    // Without `O_NONBLOCK`, opening a named pipe blocks until another process opens it for writing.
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
  /// The bytes are written to a new file in the same folder. The new file is then renamed to the
  /// old file's path. If the process is killed at any point, the file's path refers to a complete
  /// file.
  ///
  /// - Parameter mustLast: Whether the new file is synced to the disk before the rename, and the
  ///   folder after the rename. If the file is not synced, a power failure can corrupt it.
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

  /// Renames a damaged file, so that a new file can be created at the old path.
  ///
  /// At most nine damaged files are kept.
  ///
  /// - Returns: The new path.
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

/// Waits until the file's data is stored on the disk.
///
/// On Apple's operating systems, `fsync` alone may leave the data in the drive's cache.
private func synchronize(_ descriptor: Int32) -> Int32 {
  #if canImport(Darwin)
    if fcntl(descriptor, F_FULLFSYNC) == 0 { return 0 }
  #endif
  return fsync(descriptor)
}

/// A file lock, which only one queue at a time can hold, even across processes.
///
/// The lock is released when its last reference is released, or when the process ends for any
/// reason.
final class FileLock: Sendable {
  private let descriptor: Int32

  /// Acquires the lock, or returns nil if another queue or another process holds it.
  init?(_ path: String) throws {
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw DurableFile.Failure(call: "open", path: path, code: errno)
    }
    // Assign `self.descriptor` only after the file is locked. If `self.descriptor` were assigned
    // before a failed `flock`, `deinit` would close the descriptor a second time.
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      close(descriptor)
      return nil
    }
    self.descriptor = descriptor
  }

  deinit {
    // Without this call, a starting child process that inherited the descriptor would keep the lock
    // after `close`.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }
}
