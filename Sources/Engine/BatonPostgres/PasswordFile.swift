import Foundation

/// A file that contains a password.
///
/// The file is read each time a connection is opened.
///
/// An operator can change the password in the file without restarting the program.
public struct PasswordFile: Sendable, Equatable {
  /// The file's path.
  public let path: String
  /// The name of the variable or option that contains the file's path, for messages.
  public let namedBy: String
  /// The kind of secret in the file (for messages), such as a password or a token.
  private let holds: String

  /// The maximum size of the file in bytes.
  ///
  /// Cloud access tokens can be thousands of bytes long.
  static let most = 1 << 16

  /// Creates a reference to a file, without reading the file.
  public init(_ path: String, namedBy: String, holds: String = "password") {
    self.path = path
    self.namedBy = namedBy
    self.holds = holds
  }

  /// Returns the password in the file, excluding the final line break.
  ///
  /// - Throws: ``PostgresError`` with SQLSTATE `28P01` if the file cannot be read or contains no
  ///   password. A file that users other than the owner may read is also rejected, because its
  ///   password is not secret.
  public func read() throws(PostgresError) -> Secret { try opened(password(from:)) }

  /// Returns the passwords in the file, one per line, excluding empty lines.
  ///
  /// - Throws: the same ``PostgresError`` as ``read()``.
  package func readLines() throws(PostgresError) -> [Secret] { try opened(passwords(from:)) }

  private func opened<R>(
    _ read: (Int32) throws(PostgresError) -> R
  ) throws(PostgresError) -> R {
    // The file is opened without blocking, because opening a pipe would otherwise block until
    // another process opens the pipe for writing.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else {
      throw problem(
        "the \(holds) file cannot be read: \(String(cString: strerror(errno)))",
        next: "Write the \(holds) into \(path), with mode 600 and for the program's user.")
    }
    defer { close(descriptor) }
    // The permissions are read from the opened file, because another process may have replaced the
    // file at the path.
    var information = stat()
    guard fstat(descriptor, &information) == 0, information.st_mode & S_IFMT == S_IFREG else {
      throw problem(
        "the \(holds) file is not a regular file",
        next: "Name a regular file: it is read again for each connection.")
    }
    try refuseOthers(information)
    return try read(descriptor)
  }

  private func refuseOthers(_ information: stat) throws(PostgresError) {
    let (owner, mode) = (information.st_uid, information.st_mode & 0o7777)
    switch Self.access(owner: owner, mode: mode, by: geteuid()) {
    case .ours: return
    case .anothers:
      throw problem(
        "the \(holds) file belongs to another user (id \(owner))",
        next: "Give it to the program's user or to root: chown \(geteuid()) \(path)")
    case .open:
      throw problem(
        "others than its owner may use the \(holds) file (mode \(String(mode, radix: 8)))",
        next: "chmod 600 \(path), and change the \(holds) if another user may have read it.")
    }
  }

  /// The access to a file: private to the permitted users, owned by another user, or open to other
  /// users.
  enum Access { case ours, anothers, open }

  /// Returns which users have access to a file, according to libpq's rule for `sslkey`.
  ///
  /// A file that belongs to this user must not be accessible to other users. A file that root owns
  /// may be readable by the file's group, because systemd and Kubernetes provide secrets to
  /// services in such files.
  static func access(owner: uid_t, mode: mode_t, by user: uid_t) -> Access {
    guard owner == user || owner == 0 else { return .anothers }
    return mode & (owner == user ? 0o077 : 0o037) == 0 ? .ours : .open
  }

  private func password(from descriptor: Int32) throws(PostgresError) -> Secret {
    let room = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.most + 1, alignment: 1)
    defer {
      if let start = room.baseAddress { overwrite(start, room.count) }
      room.deallocate()
    }
    let count = Self.fill(room, from: descriptor)
    let bytes = Self.line(UnsafeRawBufferPointer(room)[..<count])
    guard !bytes.isEmpty, count <= Self.most, !bytes.contains(0), !bytes.contains(0x0a) else {
      throw problem(
        "the \(holds) file does not hold one line with a \(holds)",
        next: "Write the \(holds) alone into \(path): one line, \(Self.most) bytes at most.")
    }
    return Secret(UnsafeRawBufferPointer(rebasing: bytes))
  }

  private func passwords(from descriptor: Int32) throws(PostgresError) -> [Secret] {
    let room = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.most + 1, alignment: 1)
    defer {
      if let start = room.baseAddress { overwrite(start, room.count) }
      room.deallocate()
    }
    let count = Self.fill(room, from: descriptor)
    let bytes = UnsafeRawBufferPointer(room)[..<count]
    let lines = bytes.split(separator: 0x0a).map { $0.last == 0x0d ? $0.dropLast() : $0 }
      .filter { !$0.isEmpty }
    guard !lines.isEmpty, count <= Self.most, !bytes.contains(0) else {
      throw problem(
        "the \(holds) file holds no line with a \(holds)",
        next: "Write one \(holds) a line into \(path), \(Self.most) bytes at most.")
    }
    return lines.map { Secret(UnsafeRawBufferPointer(rebasing: $0)) }
  }

  /// Reads until the end of the file or until the buffer is full.
  ///
  /// - Returns: the number of bytes, or 0 after an error.
  private static func fill(_ room: UnsafeMutableRawBufferPointer, from descriptor: Int32) -> Int {
    var count = 0
    while count < room.count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: room[count...])
      let got = Foundation.read(descriptor, rest.baseAddress, rest.count)
      guard got != 0 else { return count }
      if got > 0 { count += got } else if errno != EINTR { return 0 }
    }
    return count
  }

  /// Returns the bytes, excluding the final line break.
  private static func line(_ bytes: Slice<UnsafeRawBufferPointer>) -> Slice<UnsafeRawBufferPointer>
  {
    guard bytes.last == 0x0a else { return bytes }
    let line = bytes.dropLast()
    return line.last == 0x0d ? line.dropLast() : line
  }

  private func problem(_ what: String, next: String) -> PostgresError {
    PostgresError(.invalidPassword, what, hint: next, place: "\(path) (\(namedBy))")
  }
}
