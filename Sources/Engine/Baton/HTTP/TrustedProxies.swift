import Foundation

/// The proxies whose `X-Forwarded-For` header the HTTP server trusts.
package struct TrustedProxies: Sendable {
  private let networks: [Network]
  /// Whether clients of a Unix socket are trusted proxies.
  private let trustsSocket: Bool

  /// The address of all clients of a Unix socket.
  package static let socket = "unix"

  /// Parses addresses such as `10.0.0.7`, networks such as `10.0.0.0/8`, and `unix`.
  ///
  /// - Throws: ``Malformed`` with the first invalid string.
  package init(_ texts: [String]) throws(Malformed) {
    trustsSocket = texts.contains(Self.socket)
    var networks: [Network] = []
    for text in texts where text != Self.socket {
      guard let network = Network(text) else { throw Malformed(text: text) }
      networks.append(network)
    }
    self.networks = networks
  }

  package struct Malformed: Error { let text: String }

  /// Returns the address of the client that sent a request.
  ///
  /// Each proxy appends to `X-Forwarded-For` the address from which it received the request. The
  /// last address that is not a trusted proxy is the client's address. A client can forge the
  /// addresses that precede its own address in `X-Forwarded-For`.
  ///
  /// - Parameters:
  ///   - peer: the address of the connection.
  ///   - forwarded: the values of all `X-Forwarded-For` headers.
  package func client(of peer: String, forwarded: [String]) -> String {
    guard isTrusted(peer) else { return peer }
    let addresses = forwarded.joined(separator: ",").split(separator: ",").map {
      $0.trimmingCharacters(in: .whitespaces)
    }
    for address in addresses.reversed() {
      guard Network(address) != nil, !address.contains("/") else { return peer }
      if !isTrusted(address) { return address }
    }
    return peer
  }

  /// Returns whether a connection's address belongs to a trusted proxy.
  package func isTrusted(_ address: String) -> Bool {
    if address == Self.socket { return trustsSocket }
    return networks.contains { $0.contains(address) }
  }
}

/// A range of IP addresses.
private struct Network: Sendable {
  let bytes: [UInt8]
  let bits: Int

  init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count <= 2, let bytes = IPAddress.bytes(of: String(parts[0])) else { return nil }
    let bits = parts.count == 2 ? Int(parts[1]) ?? -1 : bytes.count * 8
    guard (0...bytes.count * 8).contains(bits) else { return nil }
    (self.bytes, self.bits) = (bytes, bits)
  }

  func contains(_ address: String) -> Bool {
    guard let other = IPAddress.bytes(of: address), other.count == bytes.count else { return false }
    return (0..<bits).allSatisfy { bit in
      (bytes[bit / 8] ^ other[bit / 8]) & (0x80 >> UInt8(bit % 8)) == 0
    }
  }
}

/// Functions that convert IP addresses to bytes.
package enum IPAddress {
  /// Returns the 4 or 16 bytes of an address, or nil if the string is not an address.
  ///
  /// An IPv4 address that is written as an IPv6 address, such as `::ffff:10.0.0.7`, has 4 bytes.
  package static func bytes(of text: String) -> [UInt8]? {
    var four = in_addr()
    if inet_pton(AF_INET, text, &four) == 1 { return withUnsafeBytes(of: &four) { Array($0) } }
    var sixteen = in6_addr()
    guard inet_pton(AF_INET6, text, &sixteen) == 1 else { return nil }
    let bytes = withUnsafeBytes(of: &sixteen) { Array($0) }
    let isMapped = bytes.prefix(10).allSatisfy { $0 == 0 } && bytes[10...11] == [0xff, 0xff]
    return isMapped ? Array(bytes[12...]) : bytes
  }
}
