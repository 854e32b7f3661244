#if HTTP
  /// The OpenAPI 3.1 description of a product's API, derived from the declared routes.
  enum OpenAPI {
    /// Returns the description as JSON text.
    static func text<Product: APIProduct>(of product: Product) -> String {
      let routes = Product.routes
      let paths = Dictionary(grouping: routes, by: \.path).mapValues { routes in
        JSONValue.object(
          Dictionary(routes.map { ($0.method.lowercased(), operation($0)) }) { first, _ in first })
      }
      var shapes = APIRefusal.shape.all
      for route in routes {
        shapes.merge(route.body?.all ?? [:]) { first, _ in first }
        shapes.merge(route.response?.shapes ?? [:]) { first, _ in first }
      }
      let description: JSONValue = [
        "openapi": "3.1.0",
        "info": ["title": .text(Product.title), "version": "1"],
        "security": [["token": []]],
        "paths": .object(paths),
        "components": [
          "securitySchemes": ["token": scheme(of: product.tokens)],
          "schemas": .object(shapes.mapValues(\.schema)),
        ],
      ]
      return description.json
    }

    private static func scheme(of tokens: APITokens) -> JSONValue {
      var scheme: [String: JSONValue] = ["type": "http", "scheme": "bearer"]
      scheme["bearerFormat"] = tokens.format.map { .text($0) }
      return .object(scheme)
    }

    private static func operation<Product>(_ route: APIRoute<Product>) -> JSONValue {
      var operation: [String: JSONValue] = [
        "operationId": .text(id(of: route)), "summary": .text(route.summary),
        "parameters": .list(parameters(of: route)), "responses": .object(responses(of: route)),
        "x-sql-functions": .list(route.functions.map { .text($0) }),
      ]
      if case .open = route.access { operation["security"] = [] }
      if let body = route.body {
        operation["requestBody"] = ["required": true, "content": content(.object(body))]
      }
      return .object(operation)
    }

    /// Returns the operation id of a route for generated clients, such as `getGroupsMembers`.
    private static func id<Product>(of route: APIRoute<Product>) -> String {
      let words = route.segments.dropFirst().map { segment in
        let word = segment.filter { $0 != "{" && $0 != "}" }
        let name = word.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }
        return (segment.hasPrefix("{") ? "Of" : "") + name.joined()
      }
      return route.method.lowercased() + words.joined()
    }

    private static func parameters<Product>(of route: APIRoute<Product>) -> [JSONValue] {
      var parameters = route.names.map {
        parameter($0, in: "path", route.kind(of: $0).schema, true)
      }
      parameters += route.query.map { parameter($0.key, in: "query", $0.value.schema, false) }
      if route.key != .none {
        parameters.append(
          parameter(
            "Idempotency-Key", in: "header", Shape.Kind.text(1...256).schema,
            route.key == .required))
      }
      if route.isStream {
        parameters.append(parameter("Last-Event-ID", in: "header", version, false))
      }
      if route.isVersioned {
        parameters.append(parameter("If-None-Match", in: "header", version, false))
      }
      return parameters
    }

    private static func parameter(
      _ name: String, in place: String, _ schema: JSONValue, _ isRequired: Bool
    ) -> JSONValue {
      [
        "name": .text(name), "in": .text(place), "required": .flag(isRequired), "schema": schema,
      ]
    }

    /// The type of a version in a request.
    ///
    /// Any string is allowed.
    private static var version: JSONValue { ["type": "string"] }

    private static func responses<Product>(of route: APIRoute<Product>) -> [String: JSONValue] {
      var responses: [String: JSONValue] = [:]
      if let kind = route.response, route.isStream {
        responses["200"] = stream(of: kind)
      } else if let kind = route.response {
        responses["200"] = ["description": "The request succeeded.", "content": content(kind)]
      } else {
        responses["204"] = ["description": "The request succeeded."]
      }
      if route.isVersioned {
        responses["304"] = ["description": "The content still has the version in If-None-Match."]
      }
      let refusals = [
        ("400", "The request is malformed."), ("401", "The token is missing or not valid."),
        (
          "403",
          "The user may not do this. With the code `otherUser`, the token belongs to another user "
            + "than the header Expected-User names, and a new token does not help."
        ), ("404", "The object does not exist."),
        ("409", "The state of the object does not allow the change."),
        ("410", "The object has expired."), ("413", "The body is too long."),
        ("415", "The body is not JSON."), ("422", "A value is not valid."),
        ("429", "The user or the address has sent too many requests."),
        ("500", "The server made a mistake."),
        ("503", "The database or the identity provider is not available."),
      ]
      for (status, text) in refusals {
        responses[status] = [
          "description": .text(text), "content": content(.object(APIRefusal.shape)),
        ]
      }
      return responses
    }

    /// Returns the response for a stream whose events contain data of the given type.
    private static func stream(of kind: Shape.Kind) -> JSONValue {
      [
        "description": .text(
          "Server-sent events. The data of an event without a type is JSON with the schema in "
            + "x-event-data. The event `late` announces that events may be late. The data of the "
            + "event `end` is an error, after which the stream ends."),
        "content": [
          "text/event-stream": ["schema": ["type": "string"], "x-event-data": kind.schema]
        ],
      ]
    }

    private static func content(_ kind: Shape.Kind) -> JSONValue {
      ["application/json": ["schema": kind.schema]]
    }
  }
#endif
