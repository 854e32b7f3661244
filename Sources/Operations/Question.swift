/// What a client asks, as far as it matters here.
struct Question: Sendable {
  var method = "GET"
  /// What stands behind the host, without what follows a `?`.
  var path = "/"
  /// Each `Host` that it sent.
  var hosts: [String] = []
  /// Each `Origin`.
  var origins: [String] = []
  /// Each `Authorization`.
  var authorizations: [String] = []
}

/// What it is told.
struct Answer: Sendable, Equatable {
  let status: Int
  let type: String
  let body: String
  /// Beside what every answer has.
  var headers: [String: String] = [:]

  /// Nothing of it is kept, framed, guessed at or given to a page from elsewhere.
  static let always = [
    "cache-control": "no-store",
    "content-security-policy":
      "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "cross-origin-resource-policy": "same-origin", "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff", "x-frame-options": "DENY",
  ]

  static func json(_ status: Int, _ body: String, _ headers: [String: String] = [:]) -> Answer {
    Answer(status: status, type: "application/json", body: body + "\n", headers: headers)
  }

  /// What went wrong, in words that say nothing of the inside.
  static func refused(_ status: Int, _ why: String, _ headers: [String: String] = [:]) -> Answer {
    json(status, #"{"error":"\#(why)"}"#, headers)
  }
}
