import Foundation

/// The address at which the HTTP server accepts requests.
package enum HTTPAddress: Sendable, Equatable, CustomStringConvertible {
  /// A port at an address of this machine.
  ///
  /// Port 0 means any free port.
  case port(Int, host: String)
  /// A Unix socket.
  case socket(path: String)

  /// Parses `127.0.0.1:8080`, `[::1]:8080`, `localhost:8080` or `unix:/path`, or returns nil.
  ///
  /// `localhost` is the only accepted host name. Any host name other than `localhost` could resolve
  /// to an address that other machines can reach.
  package init?(_ text: String) {
    if text.hasPrefix("unix:") {
      let path = String(text.dropFirst("unix:".count))
      guard path.hasPrefix("/"), path.utf8.count < Self.longestPath else { return nil }
      self = .socket(path: path)
      return
    }
    guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[colon...].dropFirst()) else {
      return nil
    }
    var host = String(text[..<colon])
    if host.hasPrefix("["), host.hasSuffix("]") {
      host = String(host.dropFirst().dropLast())
      guard Self.isLiteral(host, AF_INET6) else { return nil }
    } else {
      if host == "localhost" { host = "127.0.0.1" }
      guard Self.isLiteral(host, AF_INET) else { return nil }
    }
    self = .port(Int(port), host: host)
  }

  /// The size of the kernel's socket path field, including the terminating zero byte.
  private static let longestPath = MemoryLayout.size(ofValue: sockaddr_un().sun_path)

  private static func isLiteral(_ text: String, _ family: Int32) -> Bool {
    var room = in6_addr()
    return inet_pton(family, text, &room) == 1
  }

  /// Whether only programs on this machine can connect to the address.
  package var isOfThisMachine: Bool {
    switch self {
    case .socket: true
    // The host is always an IP address, never a name such as `127.example.com`.
    case .port(_, let host): host.hasPrefix("127.") || host == "::1"
    }
  }

  /// The host names that are accepted in requests to this address.
  package var names: [String] {
    switch self {
    case .socket: ["localhost"]
    case .port(_, let host):
      [host.contains(":") ? "[\(host.lowercased())]" : host]
        + (isOfThisMachine ? ["localhost", "127.0.0.1", "[::1]"] : [])
    }
  }

  /// The address as text, in the format that `init` parses.
  package var description: String {
    switch self {
    case .socket(let path): "unix:\(path)"
    case .port(let port, let host): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
  }
}
