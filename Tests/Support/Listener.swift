import Foundation

/// A socket that listens.
///
/// Its number is free for others only when nobody can use it any more: to close it twice, or to accept behind
/// that, would be done to somebody else's connection.
package final class Listener: Sendable {
  private let descriptor: Int32

  /// Listens on a unix socket.
  ///
  /// - Throws: `TestFailure` with what the system says.
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

  /// Listens on a port of loopback.
  ///
  /// - Throws: `TestFailure` with what the system says.
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

  /// The next client; nil after `close`.
  func accept() -> Int32? {
    let client = Glibc.accept(descriptor, nil, nil)
    return client < 0 ? nil : client
  }

  /// Stops listening, also a thread that waits for a client.
  func close() { shutdown(descriptor, Int32(SHUT_RDWR)) }

  /// A port of loopback on which nobody listens just now, and which the system gives to no connection: one
  /// that is freed and taken again, as a pooler's is, could be a client's by then.
  ///
  /// - Throws: `TestFailure` where there is none.
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
  /// 127.0.0.1 with a port.
  init(loopback port: Int) {
    self.init()
    sin_family = sa_family_t(AF_INET)
    sin_port = in_port_t(port).bigEndian
    sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
  }
}
