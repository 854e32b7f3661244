#if HTTP
  import BatonOperations

  /// An HTTP request with the parts that the API uses.
  package struct APIRequest: Sendable {
    package var method = "GET"
    /// The part of the URL before the `?`, as the client sent it.
    package var path = "/"
    /// The host and the port in the `Host` header, or nil if the header is missing.
    package var host: String?
    /// The decoded query, or nil if it cannot be decoded.
    package var query: [String: [String]]? = [:]
    /// The values of each header, keyed by its name in lower case.
    package var headers: [String: [String]] = [:]
    package var body: [UInt8] = []
    /// Whether the body was longer than ``longestBody``, and was therefore not read.
    package var isBodyTooLong = false
    /// The IP address of the client, or `unix` for a client of a Unix socket.
    package var address = "unix"

    /// The maximum length of a body in bytes.
    package static let longestBody = 65_536

    package init() {}

    func values(_ name: String) -> [String] { headers[name] ?? [] }

    /// The decoded segments of the path between slashes, or nil if a segment cannot be decoded.
    var segments: [String]? {
      var parts: [String] = []
      for part in path.split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
        guard let text = FormText.decoded(part, plusIsSpace: false) else { return nil }
        parts.append(text)
      }
      return parts
    }

    /// The bearer token, or nil if the request contains none or several.
    var bearerToken: String? {
      let values = values("authorization")
      guard values.count == 1 else { return nil }
      let parts = values[0].split(separator: " ", maxSplits: 1)
      guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
      return String(parts[1])
    }

    /// The ticket of a stream, or nil if the query contains none or several.
    var ticket: String? { single(query?["ticket"] ?? []) }

    /// The id of the last event that the client received, or nil for a new stream.
    ///
    /// The id is in the `Last-Event-ID` header, or in the query if a browser reconnects with a new
    /// ticket.
    var lastEventID: String? {
      single(values("last-event-id")) ?? single(query?["lastEventId"] ?? [])
    }

    /// Returns whether the request was sent for a user.
    ///
    /// An app can send a user's request with another user's token if that user has signed in
    /// meanwhile. The `Expected-User` header contains the percent-encoded id of the user for whom
    /// the app sends the request. If the header is missing, the request is for any user.
    func isFor(user: String) -> Bool {
      values("expected-user").allSatisfy {
        FormText.decoded($0, plusIsSpace: false)?.utf8.elementsEqual(user.utf8) == true
      }
    }

    private func single(_ values: [String]) -> String? { values.count == 1 ? values[0] : nil }

    var isJSON: Bool {
      let types = values("content-type")
      return types.count == 1
        && types[0].lowercased().prefix { $0 != ";" && $0 != " " } == "application/json"
    }

    /// Whether the client accepts a body that is compressed with gzip.
    var acceptsGzip: Bool {
      let weights = values("accept-encoding").joined(separator: ",").lowercased()
        .split(separator: ",").map { coding in
          let parts = coding.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" } }
          let weight = parts.dropFirst().first { $0.hasPrefix("q=") }?.dropFirst(2)
          return (name: parts.first ?? "", weight: weight.map { Double($0) ?? 0 } ?? 1)
        }
      let named = weights.first { $0.name == "gzip" } ?? weights.first { $0.name == "*" }
      return (named?.weight ?? 0) > 0
    }

    /// Returns whether the `If-None-Match` header contains a version.
    func has(version: String) -> Bool {
      values("if-none-match").joined(separator: ",").split(separator: ",").contains {
        $0.drop { $0 == " " }.prefix { $0 != " " } == version
      }
    }
  }
#endif
