#if HTTP
  import Baton
  import Foundation
  package import ProductKit

  /// A request whose path, query and body have been checked, with its verified caller.
  package struct APICall: Sendable {
    /// The caller's identity from an identity provider's verified token.
    ///
    /// If the request needs no token or contains a session token, the identity is nil.
    package let identity: UserIdentity?
    /// The session of the request's access token, or nil if the token is not an access token.
    package let session: SessionTokens.Session?
    /// The id of the signed-in user, or an empty string if the route needs no account.
    package let user: String
    /// The request's bearer token, or nil if there is none.
    package let token: String?
    /// The `Idempotency-Key` header, or nil if it is missing.
    package let key: String?
    /// A stream's user, and the token or session that the stream depends on.
    package let access: StreamAccess
    /// The id of the last event that a stream's client received, or nil for a new stream.
    package let lastEventID: String?
    private let texts: [String: String]
    private let body: [UInt8]

    /// Checks a request.
    ///
    /// - Parameters:
    ///   - inPath: the values in the path.
    ///   - access: the access granted by the request's ticket, or nil if the request contains no
    ///     ticket.
    /// - Throws: ``APIRefusal`` if a value is unknown, missing or invalid, or if the request is for
    ///   another user.
    init<Product>(
      _ request: APIRequest, _ route: APIRoute<Product>, inPath: [String: String],
      identity: UserIdentity?, user: String, session: SessionTokens.Session?,
      access: StreamAccess? = nil
    ) throws(APIRefusal) {
      guard user.isEmpty || request.isFor(user: user) else { throw .otherUser }
      (self.identity, self.user, self.session) = (identity, user, session)
      token = request.bearerToken
      self.access =
        access ?? session?.access
        ?? StreamAccess(user: user, identity: identity, token: request.bearerToken)
      key = try Self.key(of: request, route)
      texts = try Self.query(of: request, route).merging(inPath) { _, own in own }
      lastEventID = request.lastEventID
      for name in route.names {
        try Self.check(inPath[name] ?? "", route.kind(of: name), name, route.name)
      }
      body = try Self.body(of: request, route)
    }

    /// Returns the value with the given name in the path.
    package func text(_ name: String) -> String { texts[name] ?? "" }

    /// Returns the value with the given name in the query, or nil if it is missing.
    package func optional(_ name: String) -> String? { texts[name] }

    /// Returns the number with the given name in the query, or nil if it is missing.
    package func number(_ name: String) -> Int? { texts[name].flatMap { Int($0) } }

    /// Decodes the request's body, whose shape has been checked.
    ///
    /// - Throws: ``APIRefusal`` if a value violates a rule that the shape does not describe.
    package func read<Value: Decodable>(
      _ type: Value.Type, as format: (some EntityFormat).Type
    ) throws(APIRefusal) -> Value {
      do {
        return try format.read(type, from: Data(body))
      } catch {
        throw .invalid("a value of the body is not valid", at: "the body")
      }
    }

    // MARK: Parts of a request

    private static func key<Product>(
      of request: APIRequest, _ route: APIRoute<Product>
    ) throws(APIRefusal) -> String? {
      let keys = request.values("idempotency-key")
      guard let first = keys.first else {
        guard case .required = route.key else { return nil }
        throw .invalid("the header Idempotency-Key is missing", at: route.name)
      }
      guard keys.count == 1, (1...256).contains(first.utf8.count) else {
        throw .invalid(
          "the header Idempotency-Key is not one text of 1 to 256 bytes", at: route.name)
      }
      return first
    }

    private static func query<Product>(
      of request: APIRequest, _ route: APIRoute<Product>
    ) throws(APIRefusal) -> [String: String] {
      guard let query = request.query else {
        throw .malformed("the query cannot be decoded", at: route.name)
      }
      var found: [String: String] = [:]
      for (name, values) in query.sorted(by: { $0.key < $1.key }) {
        guard let kind = route.query.first(where: { $0.key == name })?.value else {
          throw .invalid("'\(name.shortened(to: 64))' is not a value of the query", at: route.name)
        }
        guard values.count == 1 else {
          throw .invalid("'\(name)' is in the query \(values.count) times", at: route.name)
        }
        try check(values[0], kind, name, route.name)
        found[name] = values[0]
      }
      return found
    }

    private static func check(
      _ text: String, _ kind: Shape.Kind, _ name: String, _ place: String
    ) throws(APIRefusal) {
      if let problem = kind.problem(with: kind.value(of: text), at: "'\(name)'") {
        throw .invalid(problem, at: place)
      }
    }

    private static func body<Product>(
      of request: APIRequest, _ route: APIRoute<Product>
    ) throws(APIRefusal) -> [UInt8] {
      guard let shape = route.body else {
        guard request.body.isEmpty else {
          throw .malformed(
            "the request must not have a body", at: route.name,
            next: "Send the request without a body.")
        }
        return []
      }
      guard request.isJSON else { throw .notJSON(at: route.name) }
      guard let value = JSONValue(request.body) else {
        throw .malformed(
          "the body is not a JSON object in UTF-8 with at most \(JSONValue.mostLevels) levels and "
            + "\(JSONValue.mostValues) values", at: route.name)
      }
      if let problem = shape.problem(with: value, at: "the body") {
        throw .invalid(problem, at: route.name)
      }
      return request.body
    }
  }
#endif
