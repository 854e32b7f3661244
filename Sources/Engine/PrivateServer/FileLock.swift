import Foundation

/// An exclusive `flock` on a file.
///
/// The lock belongs to the file descriptor, and to every process that inherits the descriptor.
struct FileLock {
  let descriptor: Int32

  /// Acquires the lock, or returns nil if another process has the lock.
  static func attempt(_ path: String) throws(PrivateServerError) -> FileLock? {
    let descriptor = try openFile(path, O_RDONLY | O_CREAT, mode: mode)
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      close(descriptor)
      return nil
    }
    return FileLock(descriptor: descriptor)
  }

  /// Waits until no other process has the lock, and acquires the lock.
  ///
  /// The method returns nil if the file or the folder does not exist.
  static func wait(_ path: String, create: Bool) throws(PrivateServerError) -> FileLock? {
    while true {
      guard let descriptor = clearDescriptor(path, O_RDONLY | (create ? O_CREAT : 0), mode: mode)
      else {
        guard errno == ENOENT else { throw .system("Cannot open a lock", path) }
        return nil
      }
      while flock(descriptor, LOCK_EX) != 0 && errno == EINTR {}
      if isStill(path, descriptor) { return FileLock(descriptor: descriptor) }
      close(descriptor)
    }
  }

  func release() { close(descriptor) }

  /// Other users need only read access to check the lock of a file that belongs to root.
  private static let mode: mode_t = 0o644

  /// Returns whether the path still refers to the descriptor's file.
  ///
  /// `PrivateServer.destroy` can remove the file while other processes wait for the lock. A lock on
  /// a removed file does not exclude any other processes.
  private static func isStill(_ path: String, _ descriptor: Int32) -> Bool {
    var opened = stat()
    var named = stat()
    return fstat(descriptor, &opened) == 0 && stat(path, &named) == 0
      && opened.st_ino == named.st_ino && opened.st_dev == named.st_dev
  }
}

/// Opens a file on a descriptor of at least 10, because child processes get their files on lower
/// descriptors.
func openFile(_ path: String, _ flags: Int32, mode: mode_t) throws(PrivateServerError) -> Int32 {
  guard let descriptor = clearDescriptor(path, flags, mode: mode) else {
    throw .system("Cannot open a file", path)
  }
  return descriptor
}

/// Like ``openFile(_:_:mode:)``, but returns nil on error.
///
/// After an error, `errno` contains the reason.
private func clearDescriptor(_ path: String, _ flags: Int32, mode: mode_t) -> Int32? {
  let low = open(path, flags | O_CLOEXEC, mode)
  guard low >= 0 else { return nil }
  let descriptor = fcntl(low, F_DUPFD_CLOEXEC, 10)
  let code = errno
  close(low)
  errno = code
  return descriptor < 0 ? nil : descriptor
}

extension PrivateServerError {
  /// Creates an operating system error, with the reason from `errno`.
  static func system(_ what: String, _ path: String) -> PrivateServerError {
    let code = errno
    let next =
      code == EACCES || code == EPERM
      ? "Run it as the user who owns this (see `ls -ld`), or name another folder."
      : "Make this path usable, or name another folder."
    let reason = String(cString: strerror(code))
    return PrivateServerError("\(what): \(reason).", where: path, next: next)
  }
}
