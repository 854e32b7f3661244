import Foundation

/// The demo's dashboard.
struct Dashboard {
  /// The address on which the worker listens for HTTP, such as `127.0.0.1:8080`.
  let address: String

  /// Returns the dashboard, or nil if the program was built without HTTP or no port is free.
  static func atFreePort() -> Dashboard? {
    #if HTTP
      // Port 8080 is tried first, so that the dashboard has the same address when the demo is run
      // again.
      return freePort(of: 8080...8099).map { Dashboard(address: "127.0.0.1:\($0)") }
    #else
      return nil
    #endif
  }

  /// Returns the first port on which no program is listening, or nil if all ports are in use.
  static func freePort(of ports: ClosedRange<Int>) -> Int? { ports.first(where: isFree) }

  private static func isFree(_ port: Int) -> Bool {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var again: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &again, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
  }
}
