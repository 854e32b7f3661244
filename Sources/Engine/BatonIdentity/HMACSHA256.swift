import SHA256

/// HMAC-SHA256 (RFC 2104) with a fixed key.
package struct HMACSHA256: Sendable {
  private let innerBlock, outerBlock: [UInt8]

  /// Creates the HMAC function for a key of any length.
  package init(key: [UInt8]) {
    let short = key.count > 64 ? SHA256Digest.bytes(of: key) : key
    let block = short + [UInt8](repeating: 0, count: 64 - short.count)
    innerBlock = block.map { $0 ^ 0x36 }
    outerBlock = block.map { $0 ^ 0x5c }
  }

  /// Returns the HMAC of a message as 64 lower-case hexadecimal digits.
  package func hex(of message: some Sequence<UInt8>) -> String {
    SHA256Digest.hex(of: outerBlock + SHA256Digest.bytes(of: innerBlock + message))
  }
}
