#if HTTP
  import Foundation
  import TestSupport

  /// The extreme values for each parameter and field in the OpenAPI description of a product.
  struct APIExtremes: Decodable, Sendable {
    /// A parameter in the path, the query or a header.
    struct Parameter: Decodable, Sendable {
      let name: String
      let `in`: String
    }

    /// A schema, as far as it is needed for a valid value.
    struct Kind: Decodable, Sendable {
      let reference: String?
      let type: String?
      let format: String?
      let `enum`: [String]?
      let minimum, maximum: Double?
      let minLength: Int?
      let properties: [String: Kind]?
      let required: [String]?

      private enum CodingKeys: String, CodingKey {
        case reference = "$ref"
        case type, format, `enum`, minimum, maximum, minLength, properties, required
      }
    }

    struct Operation: Decodable, Sendable {
      struct Content: Decodable, Sendable { let schema: Kind }
      struct Body: Decodable, Sendable { let content: [String: Content] }

      let parameters: [Parameter]
      let requestBody: Body?

      var body: Kind? { requestBody?.content["application/json"]?.schema }
      var needsKey: Bool { parameters.contains { $0.name == "Idempotency-Key" } }
    }

    struct Components: Decodable, Sendable { let schemas: [String: Kind] }

    /// An operation with its method and its path.
    struct Route: Sendable {
      let method, path: String
      let operation: Operation

      var name: String { "\(method) \(path)" }
    }

    /// A request that differs from a valid request in one part.
    struct Case: Sendable {
      /// The name of the changed value in the path, or nil if the path is valid.
      var inPath: String?
      /// The value in the path, the query, or the header, encoded for the request.
      var value = ""
      /// The query, beginning with a question mark.
      var query = ""
      /// The header fields in addition to those of a valid request, and instead of a valid key.
      var fields: [String]?
      /// The body, or nil for a valid body.
      var body: String?
    }

    let paths: [String: [String: Operation]]
    let components: Components

    var routes: [Route] {
      paths.sorted { $0.key < $1.key }.flatMap { path, operations in
        operations.sorted { $0.key < $1.key }.map {
          Route(method: $0.key.uppercased(), path: path, operation: $0.value)
        }
      }
    }

    // MARK: Values

    /// Texts for the path, the query and headers.
    private static let texts = [
      "", "0", "-1", "1e308", "NaN", "\0", "a\0b", "e\u{301}", "\u{202e}", "\u{7f}", "../../x", "%",
      "'; drop table setting; --", "9223372036854775807", "-9223372036854775808",
      "9223372036854775808", "2147483648", "true", "null",
      "0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "-290308-12-21T19:59:06Z",
      "1900-01-01T00:00:00.000000Z_9223372036854775807",
      "2100-12-31T23:59:59.999999Z_-9223372036854775808",
      "2026-01-15T09:30:00.000000Z_00000000-0000-0000-0000-000000000000",
      "00000000-0000-0000-0000-000000000000", String(repeating: "x", count: 256),
      String(repeating: "x", count: 4_000), String(repeating: "\u{1d11e}", count: 256),
      "a" + String(repeating: "\u{301}", count: 1_500),
    ]

    /// Values that no text has, in the form of an address.
    private static let encoded = ["%ff", "%c0%80", "%ed%a0%80", "%", "%zz", "%2F", "%2e%2e", "+"]

    /// Values for the fields of a body.
    private static let json: [String] =
      [
        "null", "true", "false", "0", "-0", "-1", "1.5", "2147483647", "2147483648",
        "9223372036854775807", "-9223372036854775808", "9223372036854775808", "1e308", "-1e308",
        "1e400", "1e-400", "1" + String(repeating: "0", count: 400), "1000000", "-1000000",
        "604800", "604801", "90", "-180", "90.0000001", "[]", "{}", "[[]]", "[null]", #"{"a":1}"#,
        #""\u0000""#, #""a\u0000b""#, #""\ud800""#, #""\udc00x""#, #""1900-01-01T00:00:00+23:59""#,
        #""2100-12-31T23:59:59-23:59""#, #""2100-12-31T23:59:59.999999999Z""#,
        nested("[", "]", 7), nested("[", "]", 5_000), quoted(String(repeating: "x", count: 60_000)),
        quoted(String(repeating: "x", count: 1 << 20)),
        "[\(Array(repeating: "1", count: 5_000).joined(separator: ","))]",
        "[\(Array(repeating: #""x""#, count: 1_001).joined(separator: ","))]",
      ] + texts.map { quoted($0.replacing("\0", with: "")) }

    /// Bodies that do not depend on the route.
    private static let bodies: [String] = [
      "", "{", "[]", "null", #""x""#, "1", #"{"":1}"#, #"{"\u0000":1}"#, #"{"\ud800":1}"#,
      "\u{feff}{}", nested("{\"a\":", "}", 8_000), String(repeating: "[", count: 60_000),
      String(repeating: "x", count: 70_000), #"{"x":"\#(String(repeating: "y", count: 1 << 20))"}"#,
      // One character that consists of 20,001 scalars.
      #"{"a\#(String(repeating: "\u{301}", count: 20_000))":1}"#,
    ]

    private static func nested(_ begin: String, _ end: String, _ count: Int) -> String {
      String(repeating: begin, count: count) + "1" + String(repeating: end, count: count)
    }

    private static func quoted(_ text: String) -> String { "\"\(text)\"" }

    private static func escaped(_ text: String) -> String {
      text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }

    // MARK: Cases

    /// Returns the cases of a route.
    func cases(of route: Route) -> [Case] {
      let values = Self.texts.map(Self.escaped) + Self.encoded
      var cases = route.operation.parameters.flatMap { parameter -> [Case] in
        switch parameter.in {
        case "path": values.map { Case(inPath: parameter.name, value: $0) }
        case "query":
          values.map { Case(query: "?\(parameter.name)=\($0)") } + [
            Case(query: "?" + RequestExtremes.many(parameter.name))
          ]
        default: Self.headers(parameter.name)
        }
      }
      cases += [Case(query: "?x=1"), Case(query: "?\(Self.escaped(Self.texts.last ?? ""))=1")]
      guard let body = route.operation.body else { return cases + [Case(body: "{}")] }
      cases += Self.bodies.map { Case(body: $0) }
      for path in fields(of: body) {
        cases += Self.json.map { Case(body: text(of: body, at: path, $0)) }
        // The checked value must also be the used value.
        let valid = text(of: body, at: path, "1").dropLast()
        cases.append(Case(body: "\(valid),\"\(path[0])\":9223372036854775807}"))
      }
      return cases
    }

    private static func headers(_ name: String) -> [Case] {
      let values = texts.filter { !$0.contains("\0") && $0 != "\u{7f}" } + ["W/\"x\"", "*", "\"\""]
      return values.map { Case(fields: ["\(name): \($0)"]) } + [
        Case(fields: ["\(name): a", "\(name): b"]), Case(fields: []),
        Case(fields: ["\(name): \(String(repeating: "x", count: 20_000))"]),
      ]
    }

    /// Returns the path of a case, in which the other values are those of the caller.
    func path(of route: Route, _ one: Case, _ values: [String: String]) -> String {
      route.path.split(separator: "/").map { part in
        guard part.hasPrefix("{") else { return "/\(part)" }
        let name = String(part.dropFirst().dropLast())
        return "/" + (name == one.inPath ? one.value : values[name] ?? "x")
      }.joined() + one.query
    }

    // MARK: Bodies

    private func resolved(_ kind: Kind) -> Kind {
      kind.reference.flatMap { components.schemas[$0.replacing("#/components/schemas/", with: "")] }
        ?? kind
    }

    /// Returns the paths to all fields of an object and of the objects in its fields.
    private func fields(of kind: Kind) -> [[String]] {
      (resolved(kind).properties ?? [:]).sorted { $0.key < $1.key }.flatMap { name, kind in
        [[name]] + fields(of: kind).map { [name] + $0 }
      }
    }

    /// The optional fields without which a circle is not valid.
    private static let ofCircle = ["center", "radius"]
    /// The id of the caller's group, in a body.
    static let group = "{group}"

    /// Returns an object that is valid except for one field.
    private func text(of kind: Kind, at path: [String], _ value: String) -> String {
      let object = resolved(kind)
      var fields: [String] = []
      for (name, kind) in (object.properties ?? [:]).sorted(by: { $0.key < $1.key }) {
        if name == path.first {
          let rest = Array(path.dropFirst())
          let inner = rest.isEmpty ? value : text(of: kind, at: rest, value)
          fields.append("\"\(name)\":\(inner)")
        } else if object.required?.contains(name) == true || Self.ofCircle.contains(name) {
          fields.append("\"\(name)\":\(valid(kind, name))")
        }
      }
      return "{\(fields.joined(separator: ","))}"
    }

    /// Returns a valid value as JSON, with only the required fields of objects.
    func valid(_ kind: Kind, _ name: String = "") -> String {
      let kind = resolved(kind)
      if let words = kind.enum {
        // Only an anonymous user signs in without a token of an identity provider.
        return Self.quoted(words.first { $0 == "anonymous" } ?? words.first ?? "")
      }
      switch kind.type {
      case "object": return text(of: kind, at: [], "")
      case "array": return "[]"
      case "boolean": return "false"
      case "integer": return "\(Int64(min(max(1, kind.minimum ?? 1), kind.maximum ?? 1)))"
      case "number": return "\(min(max(100, kind.minimum ?? 100), kind.maximum ?? 100))"
      default: break
      }
      if kind.format == "date-time" { return Self.quoted(Date().formatted(.iso8601)) }
      switch name {
      case "id": return Self.quoted(UUID().uuidString)
      case "groupId": return Self.quoted(Self.group)
      case "timeZone": return Self.quoted("UTC")
      case "photoURL": return Self.quoted("https://a.test/a")
      case "secret": return Self.quoted(String(repeating: "2f", count: 32))
      default: return Self.quoted(String(repeating: "A", count: max(1, kind.minLength ?? 1)))
      }
    }
  }
#endif
