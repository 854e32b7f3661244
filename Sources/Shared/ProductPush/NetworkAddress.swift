#if HTTP
  import Foundation

  /// An address to which a host name resolves.
  struct NetworkAddress: Hashable, Sendable {
    /// The 4 bytes of an IPv4 address, or the 16 bytes of an IPv6 address.
    let bytes: [UInt8]

    /// Resolves a name or a numeric address, and blocks the thread during the lookup.
    ///
    /// The call can take half a minute. ``HostLookups`` limits how long a caller waits.
    ///
    /// - Throws: ``PushRefused`` if the name cannot be resolved at the moment.
    @Sendable static func resolve(_ host: String) throws -> [NetworkAddress] {
      var hints = addrinfo()
      hints.ai_family = AF_UNSPEC
      #if canImport(Darwin)
        hints.ai_socktype = SOCK_STREAM
      #else
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
      #endif
      var list: UnsafeMutablePointer<addrinfo>?
      guard getaddrinfo(host, nil, &hints, &list) == 0, let first = list else {
        throw PushRefused("The webhook", "its host cannot be resolved")
      }
      defer { freeaddrinfo(first) }
      return sequence(first: first) { $0.pointee.ai_next }.compactMap { of($0.pointee.ai_addr) }
    }

    /// The addresses of this machine's network interfaces, some of which can be public.
    static func ofThisMachine() -> Set<NetworkAddress> {
      var list: UnsafeMutablePointer<ifaddrs>?
      guard getifaddrs(&list) == 0, let first = list else { return [] }
      defer { freeifaddrs(first) }
      return Set(
        sequence(first: first) { $0.pointee.ifa_next }.compactMap { of($0.pointee.ifa_addr) })
    }

    private static func of(_ address: UnsafeMutablePointer<sockaddr>?) -> NetworkAddress? {
      guard let address else { return nil }
      let raw = UnsafeRawPointer(address)
      switch Int32(address.pointee.sa_family) {
      case AF_INET:
        let place = raw.loadUnaligned(as: sockaddr_in.self).sin_addr
        return NetworkAddress(bytes: withUnsafeBytes(of: place) { Array($0) })
      case AF_INET6:
        let place = raw.loadUnaligned(as: sockaddr_in6.self).sin6_addr
        return NetworkAddress(bytes: withUnsafeBytes(of: place) { Array($0) })
      default: return nil
      }
    }

    /// The address as text, with all eight groups of an IPv6 address.
    var text: String {
      guard bytes.count == 16 else { return bytes.map { "\($0)" }.joined(separator: ".") }
      return stride(from: 0, to: 16, by: 2).map {
        String(UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]), radix: 16)
      }.joined(separator: ":")
    }

    /// Whether the address is reachable from the Internet, according to the IANA registries.
    ///
    /// An IPv6 address is public if it is in 2000::/3 and not in a range of `refusedIPv6`.
    var isPublic: Bool {
      let refused = bytes.count == 4 ? Self.refusedIPv4 : Self.refusedIPv6
      if bytes.count == 16, bytes[0] & 0xe0 != 0x20 { return false }
      return !refused.contains { isIn($0.prefix, $0.bits) }
    }

    private func isIn(_ prefix: [UInt8], _ bits: Int) -> Bool {
      for (index, byte) in prefix.enumerated() {
        let left = min(max(bits - index * 8, 0), 8)
        let mask = UInt8(truncatingIfNeeded: 0xff00 >> left)
        if bytes[index] & mask != byte & mask { return false }
      }
      return true
    }

    private typealias Block = (prefix: [UInt8], bits: Int)

    private static let refusedIPv4: [Block] = [
      ([0], 8), ([10], 8), ([100, 64], 10), ([127], 8), ([169, 254], 16), ([172, 16], 12),
      ([192, 0, 0], 24), ([192, 0, 2], 24), ([192, 88, 99], 24), ([192, 168], 16),
      ([198, 18], 15), ([198, 51, 100], 24), ([203, 0, 113], 24), ([224], 4), ([240], 4),
    ]

    private static let refusedIPv6: [Block] = [
      ([0x20, 0x01, 0x00], 23), ([0x20, 0x01, 0x0d, 0xb8], 32), ([0x20, 0x02], 16),
      ([0x3f, 0xff, 0x00], 20),
    ]
  }
#endif
