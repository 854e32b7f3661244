import Foundation

/// The address at which HTTP requests are accepted.
package enum HTTPAddress: Sendable, Equatable, CustomStringConvertible {
  /// A port of an address of this machine; port 0 selects any free port.
  case port(Int, host: String)
  /// A Unix socket.
  case socket(path: String)

  /// Parses `127.0.0.1:8080`, `[::1]:8080`, `localhost:8080` or `unix:/path`; nil for any other text.
  ///
  /// `localhost` is the only accepted name: any other name may later resolve to another address, which other machines
  /// can reach.
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

  /// The size of the kernel's field for the path, including the zero at its end.
  private static let longestPath = MemoryLayout.size(ofValue: sockaddr_un().sun_path)

  private static func isLiteral(_ text: String, _ family: Int32) -> Bool {
    var room = in6_addr()
    return inet_pton(family, text, &room) == 1
  }

  /// Whether only programs on this machine can connect.
  package var isOfThisMachine: Bool {
    switch self {
    case .socket: true
    // The host is a literal address, so no other host begins with these.
    case .port(_, let host): host.hasPrefix("127.") || host == "::1"
    }
  }

  /// The host names in requests of its clients.
  package var names: [String] {
    switch self {
    case .socket: ["localhost"]
    case .port(_, let host):
      [host.contains(":") ? "[\(host.lowercased())]" : host]
        + (isOfThisMachine ? ["localhost", "127.0.0.1", "[::1]"] : [])
    }
  }

  /// The address in the form that `init` parses.
  package var description: String {
    switch self {
    case .socket(let path): "unix:\(path)"
    case .port(let port, let host): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
  }
}
