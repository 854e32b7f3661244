import Foundation

/// A socket that listens.
public struct Listener: Sendable {
  private let descriptor: Int32

  /// Listens on a unix socket.
  ///
  /// - Throws: `TestFailure` with what the system says.
  public init(socket path: String) throws {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    guard path.utf8.count < MemoryLayout.size(ofValue: address.sun_path) else {
      throw TestFailure("the path of the socket is too long: \(path)")
    }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let status = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) }
    }
    guard status == 0, listen(descriptor, 8) == 0 else {
      throw TestFailure("cannot listen on \(path): \(String(cString: strerror(errno)))")
    }
  }

  /// The next client; nil after `close`.
  func accept() -> Int32? {
    let client = Glibc.accept(descriptor, nil, nil)
    return client < 0 ? nil : client
  }

  /// Stops listening, also a thread that waits for a client.
  func close() {
    shutdown(descriptor, Int32(SHUT_RDWR))
    Glibc.close(descriptor)
  }

  /// A port of loopback on which nobody listens just now.
  ///
  /// - Throws: `TestFailure` where there is none.
  public static func unusedPort() throws -> Int {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { Glibc.close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let status = withUnsafeMutableBytes(of: &address) { bytes in
      bytes.withMemoryRebound(to: sockaddr.self) { pointer in
        bind(descriptor, pointer.baseAddress, length)
          + getsockname(descriptor, pointer.baseAddress, &length)
      }
    }
    guard status == 0 else { throw TestFailure("no port is free") }
    return Int(UInt16(bigEndian: address.sin_port))
  }
}
