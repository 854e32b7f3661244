import Foundation

/// A listening socket.
///
/// The descriptor is closed only after its last use. If the descriptor were closed earlier, its
/// number could already belong to another connection.
package final class Listener: Sendable {
  private let descriptor: Int32

  /// Creates a listener on a Unix socket.
  ///
  /// - Throws: `TestFailure` with the error of the operating system.
  package init(socket path: String) throws {
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

  /// Creates a listener on a port of the loopback interface.
  ///
  /// - Throws: `TestFailure` with the error of the operating system.
  package init(port: Int) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var reuse: Int32 = 1
    setsockopt(
      descriptor, SOL_SOCKET, SO_REUSEADDR, &reuse, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in(loopback: port)
    let status = withUnsafeMutableBytes(of: &address) { bytes in
      bytes.withMemoryRebound(to: sockaddr.self) {
        bind(descriptor, $0.baseAddress, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard status == 0, listen(descriptor, 128) == 0 else {
      throw TestFailure("cannot listen on port \(port): \(String(cString: strerror(errno)))")
    }
  }

  deinit { Glibc.close(descriptor) }

  /// Returns the descriptor of the next client, or nil after `close`.
  func accept() -> Int32? {
    let client = Glibc.accept(descriptor, nil, nil)
    return client < 0 ? nil : client
  }

  /// Stops listening.
  ///
  /// A thread that waits for a client also returns.
  func close() { shutdown(descriptor, Int32(SHUT_RDWR)) }

  /// Returns a port of the loopback interface on which no process listens.
  ///
  /// The operating system does not assign the port to a client's connection, so that a restarted
  /// pooler can use the port again.
  ///
  /// - Throws: `TestFailure` if no port is free.
  package static func unusedPort() throws -> Int {
    for _ in 1...100 {
      let port = Int.random(in: 12_000..<32_000)
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      defer { Glibc.close(descriptor) }
      var address = sockaddr_in(loopback: port)
      let status = withUnsafeBytes(of: &address) { bytes in
        bytes.withMemoryRebound(to: sockaddr.self) { pointer in
          bind(descriptor, pointer.baseAddress, socklen_t(bytes.count))
        }
      }
      if status == 0 { return port }
    }
    throw TestFailure("no port is free")
  }
}

extension sockaddr_in {
  /// Creates the address of a port on 127.0.0.1.
  init(loopback port: Int) {
    self.init()
    sin_family = sa_family_t(AF_INET)
    sin_port = in_port_t(port).bigEndian
    sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
  }
}
