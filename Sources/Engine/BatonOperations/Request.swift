/// A request of a client, as far as the handlers read it.
struct Request: Sendable {
  var method = "GET"
  /// What stands behind the host, without what follows a `?`; as it was sent.
  var path = "/"
  /// What follows the `?`, decoded; nil: it cannot be read.
  var query: [String: [String]]? = [:]
  /// Each `Host` that it sent.
  var hosts: [String] = []
  /// Each `Origin`.
  var origins: [String] = []
  /// Each `Authorization`.
  var authorizations: [String] = []
  /// Each `Sec-Fetch-Site`: what a browser says of the page that asks.
  var fetchSites: [String] = []
  /// Each `Sec-Fetch-Mode`: whether somebody goes to a page, or a page asks for more.
  var fetchModes: [String] = []
  /// Each `x-csrf-token`.
  var forgeryTokens: [String] = []
  /// Each `Content-Type`.
  var contentTypes: [String] = []
  /// The cookies, the first of a name.
  var cookies: [String: String] = [:]
  /// What it sent behind the headers.
  var body: [UInt8] = []
  /// Whether that was more than ``longestBody``: none of it is here.
  var isBodyTooLong = false

  /// So many bytes are read.
  static let longestBody = 65_536

  /// The parts of the path between `/`, decoded; nil: they cannot be read.
  var segments: [String]? {
    var parts: [String] = []
    for part in path.split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
      guard let text = FormText.decoded(part, plusIsSpace: false) else { return nil }
      parts.append(text)
    }
    return parts
  }

  /// The fields of a form, as a browser sends them; nil: it is none.
  var form: [String: [String]]? {
    guard contentTypes.count == 1, String(validating: body, as: UTF8.self) != nil,
      contentTypes[0].lowercased().prefix(while: { $0 != ";" })
        == "application/x-www-form-urlencoded"
    else { return nil }
    return FormText.pairs(String(decoding: body, as: UTF8.self))
  }
}

/// `a=b&c=d`, as queries and forms have it.
enum FormText {
  /// The values of each name, in order; nil where a `%` is not followed by two digits or the bytes are no UTF-8.
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

  /// Without `%` and, in a form, `+`; nil where it is malformed or holds a zero byte, which no text of the database may.
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
  /// Beside what every response has.
  var headers: [String: String] = [:]

  /// Nothing of it is kept, framed, guessed at or given to a page from elsewhere.
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

  /// Events, without any.
  static let events = Response(status: 200, type: eventType, body: "")
  static let eventType = "text/event-stream"

  /// What went wrong, in words that say nothing of the inside.
  static func refused(_ status: Int, _ why: String, _ headers: [String: String] = [:]) -> Response {
    json(status, #"{"error":"\#(why)"}"#, headers)
  }
}
