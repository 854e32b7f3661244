#if HTTP
  /// A route of a product's API: the path, the SQL functions that the route calls, and the request
  /// and response shapes.
  package struct APIRoute<Product: APIProduct>: Sendable {
    /// The callers who may use a route.
    package enum Access: Sendable {
      /// A signed-in user, on whose behalf the SQL functions are called.
      case user
      /// A caller with a verified token from an identity provider.
      ///
      /// The caller might not have an account yet.
      case identity
      /// Any caller, without a token.
      case open
    }

    /// Whether a request needs the `Idempotency-Key` header.
    package enum Key: Sendable { case none, optional, required }

    package typealias Act = @Sendable (Product, APICall) async throws -> APIReply

    package let method: String
    /// The path with the names of its values in braces, such as `/v1/groups/{group}`.
    package let path: String
    /// A one-sentence summary, for the OpenAPI description.
    package let summary: String
    /// The product's SQL functions that the route calls.
    package let functions: [String]
    package var access = Access.user
    /// The types of the path's values.
    ///
    /// If the dictionary has no type for a value in the path, the value is a string of 1 to 256
    /// characters.
    package var values: [String: Shape.Kind] = [:]
    /// The types of the query's values, all of which are optional.
    package var query: KeyValuePairs<String, Shape.Kind> = [:]
    package var key = Key.none
    /// The shape of the request's body, or nil if the request has none.
    package var body: Shape?
    /// The type of the response's body, or nil if the response has none.
    package var response: Shape.Kind?
    /// Whether the response has an `ETag`, which the next request can send in `If-None-Match`.
    package var isVersioned = false
    /// Whether the response is a stream of server-sent events, whose data has the ``response``
    /// type.
    var isStream = false
    package let act: Act

    package init(
      _ method: String, _ path: String, _ summary: String, calls functions: [String],
      access: Access = .user, values: [String: Shape.Kind] = [:],
      query: KeyValuePairs<String, Shape.Kind> = [:], key: Key = .none, body: Shape? = nil,
      response: Shape.Kind? = nil, isVersioned: Bool = false, act: @escaping Act
    ) {
      (self.method, self.path, self.summary) = (method, path, summary)
      (self.functions, self.access, self.values) = (functions, access, values)
      (self.query, self.key, self.body, self.response) = (query, key, body, response)
      (self.isVersioned, self.act) = (isVersioned, act)
    }

    /// The method and the path, for messages and metrics.
    package var name: String { "\(method) \(path)" }

    var segments: [Substring] { path.split(separator: "/") }

    /// The names of the values in the path.
    var names: [String] {
      segments.filter { $0.hasPrefix("{") }.map { String($0.dropFirst().dropLast()) }
    }

    /// Returns the type of a value in the path.
    func kind(of name: String) -> Shape.Kind { values[name] ?? .text(1...256) }

    /// Returns the values in the path, or nil if the path does not match.
    func match(_ parts: [String]) -> [String: String]? {
      let own = segments
      guard own.count == parts.count else { return nil }
      var found: [String: String] = [:]
      for (part, own) in zip(parts, own) {
        if own.hasPrefix("{") {
          found[String(own.dropFirst().dropLast())] = part
        } else if own != part {
          return nil
        }
      }
      return found
    }
  }
#endif
