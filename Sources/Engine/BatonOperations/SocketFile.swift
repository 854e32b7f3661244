import Baton
import Foundation

/// A Unix socket file.
///
/// Only the user that runs this program, and the user's group, may use the socket.
///
/// The socket file of a running program is never replaced.
enum SocketFile {
  /// Removes the socket file that a killed program did not remove.
  ///
  /// - Throws: `Complaint` if a program accepts connections at the socket, or if the file is not a
  ///   socket.
  static func clear(_ address: HTTPAddress) throws {
    guard case .socket(let path) = address else { return }
    var information = stat()
    guard lstat(path, &information) == 0 else { return }
    guard information.st_mode & S_IFMT == S_IFSOCK else {
      throw Complaint(
        .configuration, what: "The path of the socket is another kind of file.", place: path,
        next: "Nothing was changed. Choose another path, or remove the file.")
    }
    guard !isAnswered(path) else { throw Complaint(inUse: address) }
    unlink(path)
  }

  /// Returns the temporary address at which the server binds the socket.
  ///
  /// SwiftNIO removes the file at which it bound a socket after it has closed the socket. With the
  /// real path, a stopping process could remove the file of the next process.
  static func temporary(for address: HTTPAddress) -> HTTPAddress {
    guard case .socket(let path) = address else { return address }
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    return .socket(path: folder + "." + String(UInt32.random(in: 0 ... .max), radix: 36))
  }

  /// Gives the bound socket its path.
  ///
  /// - Throws: `Complaint` if the path exists, or if the file system does not allow the link.
  static func publish(_ bound: HTTPAddress, as address: HTTPAddress) throws {
    guard case .socket(let file) = bound, case .socket(let path) = address else { return }
    defer { unlink(file) }
    guard link(file, path) == 0 else {
      throw Complaint(cannotListen: errno == EEXIST ? EADDRINUSE : errno, at: address)
    }
  }

  static func remove(_ address: HTTPAddress) {
    if case .socket(let path) = address { unlink(path) }
  }

  /// Restricts new files to the user that runs this program and the user's group, until
  /// ``relax(_:)`` is called.
  ///
  /// If the file's mode were changed only after the socket was created, any user could connect for
  /// a short time.
  static func restrict(_ address: HTTPAddress) -> mode_t? {
    guard case .socket = address else { return nil }
    return umask(0o117)
  }

  static func relax(_ mask: mode_t?) {
    if let mask { _ = umask(mask) }
  }

  private static func isAnswered(_ path: String) -> Bool {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) == 0 }
    }
  }
}

extension Complaint {
  init(inUse address: HTTPAddress) {
    self.init(
      .tryAgain, what: "Another program already uses this socket.", place: "\(address)",
      next: "Stop the program, or choose another address with --http.")
  }

  /// Describes why the address cannot be used.
  ///
  /// - Parameter code: the operating system's error code, or nil if the code is unknown.
  init(cannotListen code: Int32?, at address: HTTPAddress) {
    guard code != EADDRINUSE else {
      self.init(inUse: address)
      return
    }
    let why = code.map { String(cString: strerror($0)) } ?? "no reason was given"
    self.init(
      .configuration, what: "HTTP cannot use this address: \(why).", place: "\(address)",
      next:
        "Choose an address of this machine with a free port above 1023, or a path in a folder that "
        + "this user may write to.")
  }
}
