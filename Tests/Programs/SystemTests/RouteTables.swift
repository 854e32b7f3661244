#if HTTP
  import Foundation

  /// The tables of a page about routes, as the OpenAPI description of a server defines them.
  struct RouteTables {
    private let schemas: [String: [String: Any]]
    private let paths: [String: [String: [String: Any]]]

    init(_ description: [String: Any]) {
      paths = description["paths"] as? [String: [String: [String: Any]]] ?? [:]
      let components = description["components"] as? [String: Any]
      schemas = components?["schemas"] as? [String: [String: Any]] ?? [:]
    }

    /// The routes by path, with the fields of their requests and the types of their responses.
    var routes: String {
      let head = """
        | Route | Summary | Fields of the request | Response |
        |---|---|---|---|

        """
      let rows = paths.keys.sorted().flatMap { path in
        (paths[path] ?? [:]).sorted { $0.key < $1.key }.map { method, operation in
          "| `\(method.uppercased()) \(path)` | \(operation["summary"] as? String ?? "") "
            + "| \(Self.list(fields(of: operation))) | \(response(of: operation)) |\n"
        }
      }
      return head + rows.joined()
    }

    /// The types that responses or fields contain, by name.
    var types: String {
      var bodies: Set<String> = []
      for operation in paths.values.flatMap(\.values) {
        bodies.formUnion(body(of: operation).map { [$0] } ?? [])
      }
      let rows = schemas.keys.filter { !bodies.contains($0) || isResponse($0) }.sorted().map {
        "| `\($0)` | \(Self.list(fields(in: schemas[$0] ?? [:]))) |\n"
      }
      return "| Type | Fields |\n|---|---|\n" + rows.joined()
    }

    /// Returns whether a type of a request's body is also in a response or in another type.
    private func isResponse(_ name: String) -> Bool {
      let operations = paths.values.flatMap(\.values)
      return operations.contains { response(of: $0).contains("`\(name)`") }
        || schemas.values.contains { schema in
          fields(in: schema).contains { $0.hasSuffix(":\(name)") || $0.hasSuffix(":[\(name)]") }
        }
    }

    private func fields(of operation: [String: Any]) -> [String] {
      let parameters = operation["parameters"] as? [[String: Any]] ?? []
      let others = parameters.compactMap { parameter -> String? in
        guard let name = parameter["name"] as? String, let place = parameter["in"] as? String,
          place != "path"
        else { return nil }
        return "\(place) \(name)\(parameter["required"] as? Bool == true ? "" : "?")"
      }
      return fields(in: body(of: operation).flatMap { schemas[$0] } ?? [:]) + others.sorted()
    }

    /// Returns the fields of a type as `name:type`, or as `name?:type` if the field is optional.
    private func fields(in schema: [String: Any]) -> [String] {
      let required = schema["required"] as? [String] ?? []
      let properties = schema["properties"] as? [String: [String: Any]] ?? [:]
      return properties.keys.sorted().map {
        "\($0)\(required.contains($0) ? "" : "?"):\(Self.name(of: properties[$0] ?? [:]))"
      }
    }

    private func body(of operation: [String: Any]) -> String? {
      let body = operation["requestBody"] as? [String: Any]
      let content = body?["content"] as? [String: [String: Any]]
      return (content?["application/json"]?["schema"] as? [String: Any]).map(Self.name)
    }

    private func response(of operation: [String: Any]) -> String {
      let responses = operation["responses"] as? [String: [String: Any]] ?? [:]
      let content = responses["200"]?["content"] as? [String: [String: Any]] ?? [:]
      if let event = content["text/event-stream"]?["x-event-data"] as? [String: Any] {
        return "a stream of `\(Self.name(of: event))`"
      }
      let schema = content["application/json"]?["schema"] as? [String: Any]
      return schema.map { "`\(Self.name(of: $0))`" } ?? "none"
    }

    private static func list(_ fields: [String]) -> String {
      fields.isEmpty ? "none" : fields.map { "`\($0)`" }.joined(separator: ", ")
    }

    private static func name(of schema: [String: Any]) -> String {
      if let reference = schema["$ref"] as? String {
        return reference.replacing("#/components/schemas/", with: "")
      }
      if schema["prefixItems"] != nil { return "list" }
      if let items = schema["items"] as? [String: Any] { return "[\(name(of: items))]" }
      if let words = schema["enum"] as? [String], words.count < 6 {
        return words.joined(separator: "/")
      }
      if schema["format"] as? String == "date-time" { return "time" }
      return schema["type"] as? String ?? ""
    }
  }
#endif
