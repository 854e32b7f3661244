import Baton

/// An HTTP request, with the parts that the handlers use.
struct Request: Sendable {
  var method = "GET"
  /// The part of the URL between the host and the `?`, as the client sent it.
  var path = "/"
  /// The decoded part of the URL after the `?`, or nil if it cannot be decoded.
  var query: [String: [String]]? = [:]
  /// The values of all `Host` headers.
  var hosts: [String] = []
  /// The values of all `Origin` headers.
  var origins: [String] = []
  /// The values of all `Authorization` headers.
  var authorizations: [String] = []
  /// The values of all `Sec-Fetch-Site` headers.
  ///
  /// In the `Sec-Fetch-Site` header, a browser reports whether the page that sends the request
  /// belongs to the same site.
  var fetchSites: [String] = []
  /// The values of all `Sec-Fetch-Mode` headers.
  ///
  /// In the `Sec-Fetch-Mode` header, a browser distinguishes the navigation to a page from a
  /// request by a script.
  var fetchModes: [String] = []
  /// The values of all `Sec-Fetch-Dest` headers, which distinguish a window from a frame or an
  /// image.
  var fetchDestinations: [String] = []
  /// The IP address of the client, or `unix` for a client of a Unix socket.
  var address = TrustedProxies.socket
  /// The values of all `x-csrf-token` headers.
  var forgeryTokens: [String] = []
  /// The values of all `Content-Type` headers.
  var contentTypes: [String] = []
  /// The values of the request's cookies, keyed by name.
  ///
  /// If a name is repeated, only the first value is used.
  var cookies: [String: String] = [:]
  /// The body of the request.
  var body: [UInt8] = []
  /// Whether the body was longer than ``longestBody``.
  ///
  /// If the body was too long, `body` is empty.
  var isBodyTooLong = false

  /// The maximum length of a body in bytes.
  static let longestBody = 65_536

  /// The decoded segments of the path between slashes, or nil if a segment cannot be decoded.
  var segments: [String]? {
    var parts: [String] = []
    for part in path.split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
      guard let text = FormText.decoded(part, plusIsSpace: false) else { return nil }
      parts.append(text)
    }
    return parts
  }

  /// The fields of a submitted form, or nil if the body is not a form.
  var form: [String: [String]]? {
    guard contentTypes.count == 1, String(validating: body, as: UTF8.self) != nil,
      contentTypes[0].lowercased().prefix(while: { $0 != ";" })
        == "application/x-www-form-urlencoded"
    else { return nil }
    return FormText.pairs(String(decoding: body, as: UTF8.self))
  }
}

/// The `a=b&c=d` format of queries and forms.
package enum FormText {
  /// Returns the values of each name in order, or nil if the text is malformed.
  ///
  /// A string is malformed if a `%` is not followed by two hexadecimal digits, or if the decoded
  /// bytes are not UTF-8.
  package static func pairs(_ text: some StringProtocol) -> [String: [String]]? {
    var pairs: [String: [String]] = [:]
    for pair in text.split(separator: "&") {
      let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = decoded(halves[0]), let value = decoded(halves.count == 2 ? halves[1] : "")
      else { return nil }
      pairs[name, default: []].append(value)
    }
    return pairs
  }

  /// Returns the number of bytes with which a browser sends a value in a form.
  ///
  /// A browser sends each line break as CR LF.
  static func length(of value: String) -> Int {
    var length = 0
    for byte in value.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: " "), UInt8(ascii: "*"),
        UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
        length += 1
      case UInt8(ascii: "\n"): length += 6
      default: length += 3
      }
    }
    return length
  }

  /// Returns the text with decoded `%` sequences.
  ///
  /// In a form, each `+` is decoded as a space.
  ///
  /// The result is nil if the text is malformed or contains a zero byte, which PostgreSQL does not
  /// accept.
  package static func decoded(_ text: some StringProtocol, plusIsSpace: Bool = true) -> String? {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "+") where plusIsSpace: bytes.append(UInt8(ascii: " "))
      case UInt8(ascii: "%"):
        guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit)
        else { return nil }
        bytes.append(high << 4 | low)
      default: bytes.append(byte)
      }
    }
    guard !bytes.contains(0) else { return nil }
    return String(validating: bytes, as: UTF8.self)
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    Character(UnicodeScalar(byte)).hexDigitValue.map { UInt8($0) }
  }
}

/// An HTTP response.
struct Response: Sendable, Equatable {
  let status: Int
  let type: String
  let body: String
  /// The response's own headers, which are added to the headers in ``always``.
  var headers: [String: String] = [:]

  /// The headers of every response, which forbid caching, framing, content sniffing and use by
  /// other sites.
  static let always = [
    "cache-control": "no-store",
    "content-security-policy":
      "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "cross-origin-resource-policy": "same-origin", "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff", "x-frame-options": "DENY",
  ]

  static func json(_ status: Int, _ body: String, _ headers: [String: String] = [:]) -> Response {
    Response(status: status, type: "application/json", body: body + "\n", headers: headers)
  }

  /// A response with the content type of an event stream, without events.
  static let events = Response(status: 200, type: eventType, body: "")
  static let eventType = "text/event-stream"

  /// Returns an error response that states the error, its location and the next step.
  ///
  /// The texts do not reveal internal details, and contain no characters that JSON must escape.
  static func refused(
    _ status: Int, _ why: String, at place: String, next: String,
    _ headers: [String: String] = [:]
  ) -> Response {
    json(status, #"{"error":"\#(why)","next":"\#(next)","where":"\#(place)"}"#, headers)
  }
}
