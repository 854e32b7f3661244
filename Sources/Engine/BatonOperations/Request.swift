/// A client's request, with the parts that the handlers read.
struct Request: Sendable {
  var method = "GET"
  /// The part after the host and before the `?`, as it was sent.
  var path = "/"
  /// The part after the `?`, decoded; nil: it cannot be decoded.
  var query: [String: [String]]? = [:]
  /// Each `Host` header.
  var hosts: [String] = []
  /// Each `Origin` header.
  var origins: [String] = []
  /// Each `Authorization` header.
  var authorizations: [String] = []
  /// Each `Sec-Fetch-Site` header, in which a browser names the relation to the page that sends the request.
  var fetchSites: [String] = []
  /// Each `Sec-Fetch-Mode` header, which distinguishes navigation to a page from a request by a script.
  var fetchModes: [String] = []
  /// Each `x-csrf-token` header.
  var forgeryTokens: [String] = []
  /// Each `Content-Type` header.
  var contentTypes: [String] = []
  /// The cookies; if a name occurs twice, the first one.
  var cookies: [String: String] = [:]
  /// The body of the request.
  var body: [UInt8] = []
  /// Whether the body was longer than ``longestBody``; then `body` is empty.
  var isBodyTooLong = false

  /// The most bytes of a body.
  static let longestBody = 65_536

  /// The parts of the path between `/`, decoded; nil: they cannot be decoded.
  var segments: [String]? {
    var parts: [String] = []
    for part in path.split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
      guard let text = FormText.decoded(part, plusIsSpace: false) else { return nil }
      parts.append(text)
    }
    return parts
  }

  /// The fields of a form, as a browser sends them; nil if the body is not a form.
  var form: [String: [String]]? {
    guard contentTypes.count == 1, String(validating: body, as: UTF8.self) != nil,
      contentTypes[0].lowercased().prefix(while: { $0 != ";" })
        == "application/x-www-form-urlencoded"
    else { return nil }
    return FormText.pairs(String(decoding: body, as: UTF8.self))
  }
}

/// The format `a=b&c=d` of queries and forms.
enum FormText {
  /// The values of each name, in order; nil if a `%` is not followed by two digits, or the bytes are not UTF-8.
  static func pairs(_ text: some StringProtocol) -> [String: [String]]? {
    var pairs: [String: [String]] = [:]
    for pair in text.split(separator: "&") {
      let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = decoded(halves[0]), let value = decoded(halves.count == 2 ? halves[1] : "")
      else { return nil }
      pairs[name, default: []].append(value)
    }
    return pairs
  }

  /// The text with `%` (and in a form `+`) decoded; nil if it is malformed or contains a zero byte, which PostgreSQL
  /// does not accept.
  static func decoded(_ text: some StringProtocol, plusIsSpace: Bool = true) -> String? {
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

/// The response to a request.
struct Response: Sendable, Equatable {
  let status: Int
  let type: String
  let body: String
  /// The headers in addition to those of every response.
  var headers: [String: String] = [:]

  /// The headers of every response, which forbid caching, framing, content sniffing and use by other sites.
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

  /// A response of type event stream, without events.
  static let events = Response(status: 200, type: eventType, body: "")
  static let eventType = "text/event-stream"

  /// An error response, in words that reveal no internals.
  static func refused(_ status: Int, _ why: String, _ headers: [String: String] = [:]) -> Response {
    json(status, #"{"error":"\#(why)"}"#, headers)
  }
}
