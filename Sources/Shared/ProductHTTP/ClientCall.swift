package import Foundation

/// A call to a product's API, without the server's address and the user's token.
package struct ClientCall: Sendable {
  package let method: String
  /// The percent-encoded path and query.
  package let path: String
  /// The value of the `Idempotency-Key` header, or nil if the call needs no key.
  package let key: String?
  /// The body as JSON, or nil for a call without a body.
  package let body: Data?
  /// Whether the call is sent without a token.
  package let isOpen: Bool
  /// The percent-encoded id of the user for whom the call is sent, or nil if it does not depend on
  /// a user.
  package let user: String?

  /// Creates a call.
  ///
  /// - Parameters:
  ///   - path: the path segments after `/v1`, which the initializer percent-encodes.
  ///   - query: the query values. Nil values are not sent.
  ///   - user: the id of the user for whom the call is sent. If the token belongs to another user,
  ///     the server rejects it.
  package init(
    _ method: String, _ path: [String], query: KeyValuePairs<String, String?> = [:],
    key: String? = nil, body: Data? = nil, isOpen: Bool = false, user: String? = nil
  ) {
    let values = query.compactMap { name, value in value.map { "\(name)=\(Self.encoded($0))" } }
    self.method = method
    self.path =
      (["/v1"] + path.map(Self.encoded)).joined(separator: "/")
      + (values.isEmpty ? "" : "?" + values.joined(separator: "&"))
    (self.key, self.body, self.isOpen) = (key, body, isOpen)
    self.user = user.map(Self.encoded)
  }

  /// The call that opens the stream of a resource.
  ///
  /// A stream's path is the resource's path plus one more segment.
  package var stream: ClientCall { ClientCall(streaming: self) }

  private init(streaming call: ClientCall) {
    (method, path, isOpen, user) = (call.method, call.path + "/stream", call.isOpen, call.user)
    (key, body) = (nil, nil)
  }

  /// Percent-encodes all bytes except letters, digits, `-` and `_`.
  ///
  /// A dot is encoded too, because some proxies remove `.` and `..` segments from a path.
  private static func encoded(_ text: String) -> String {
    var encoded = ""
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
        encoded.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        encoded += byte < 16 ? "%0\(digits)" : "%\(digits)"
      }
    }
    return encoded
  }
}
