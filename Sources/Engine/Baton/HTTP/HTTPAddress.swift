import Foundation

/// Where HTTP is answered.
package enum HTTPAddress: Sendable, Equatable, CustomStringConvertible {
  /// A port of an address of this machine; port 0 is any that is free.
  case port(Int, host: String)
  /// A socket in the file system.
  case socket(path: String)

  /// From `127.0.0.1:8080`, `[::1]:8080`, `localhost:8080` or `unix:/path`; nil for anything else.
  ///
  /// No name but `localhost`: what it stands for may change, and with it who reaches us.
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

  /// What the kernel has room for, with the zero behind it.
  private static let longestPath = MemoryLayout.size(ofValue: sockaddr_un().sun_path)

  private static func isLiteral(_ text: String, _ family: Int32) -> Bool {
    var room = in6_addr()
    return inet_pton(family, text, &room) == 1
  }

  /// Whether only programs of this machine can reach it.
  package var isOfThisMachine: Bool {
    switch self {
    case .socket: true
    // An address of this form is a literal, so nothing else begins with these.
    case .port(_, let host): host.hasPrefix("127.") || host == "::1"
    }
  }

  /// The names by which clients ask for it.
  package var names: [String] {
    switch self {
    case .socket: ["localhost"]
    case .port(_, let host):
      [host.contains(":") ? "[\(host.lowercased())]" : host]
        + (isOfThisMachine ? ["localhost", "127.0.0.1", "[::1]"] : [])
    }
  }

  /// As it is given.
  package var description: String {
    switch self {
    case .socket(let path): "unix:\(path)"
    case .port(let port, let host): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }
  }
}
