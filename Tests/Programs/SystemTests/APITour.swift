#if HTTP
  import Foundation
  import TestSupport
  import Testing

  /// Sends one successful request to each route.
  ///
  /// Each response must match the description.
  struct APITour {
    let client: APIClient
    private let schema: JSONSchema
    /// The described operations, by method and path.
    private let operations: [String: [String: Any]]
    /// The routes of the requests so far.
    var seen: Set<String> = []

    /// Reads the description of a server.
    init(_ client: APIClient) async throws {
      self.client = client
      schema = try JSONSchema(try await client.send("GET", "/openapi.json").body)
      #expect(schema.description["openapi"] as? String == "3.1.0")
      let paths = schema.description["paths"] as? [String: [String: [String: Any]]] ?? [:]
      operations = paths.reduce(into: [:]) { all, path in
        for (method, operation) in path.value {
          all["\(method.uppercased()) \(path.key)"] = operation
        }
      }
      #expect(
        Set(operations.values.compactMap { $0["operationId"] as? String }).count
          == operations.count)
    }

    /// The SQL functions that the operations call.
    var functions: Set<String> {
      Set(operations.values.flatMap { $0["x-sql-functions"] as? [String] ?? [] })
    }

    /// The routes without a request.
    var missing: Set<String> { Set(operations.keys).subtracting(seen) }

    /// Checks that each operation refuses a request without a token, unless the description says
    /// that the operation needs no token.
    func expectRefusals() async throws {
      for name in operations.keys.sorted() where operations[name]?["security"] == nil {
        let parts = name.split(separator: " ").map(String.init)
        let answer = try await client.send(parts[0], parts[1].replacing(/[{}]/, with: "x"))
        #expect(answer.refusal == "401 notAuthenticated", "\(name)")
        let error = ["$ref": "#/components/schemas/Error"]
        #expect(schema.problems(answer.object, error) == [], "\(name)")
      }
    }

    /// Checks that a page contains the tables of the described routes and types.
    func expectTables(in page: String) throws {
      let (text, tables) = (try Checkout.text(page), RouteTables(schema.description))
      for table in [tables.routes, tables.types] {
        #expect(text.contains("\n\n\(table)\n"), "\(page) should contain this table:\n\(table)")
      }
    }

    /// Opens a stream, and checks its first event against the description of the route.
    mutating func follow(_ route: String, _ path: String, as token: String) async throws {
      seen.insert(route)
      let responses = operations[route]?["responses"] as? [String: [String: Any]] ?? [:]
      let content = responses["200"]?["content"] as? [String: [String: Any]]
      let described = try #require(
        content?["text/event-stream"]?["x-event-data"] as? [String: Any])
      let stream = try await client.stream(path, as: token)
      try await eventually("an event of \(route)") { !stream.events.isEmpty }
      #expect(schema.problems(stream.events[0].object, described) == [], "\(route)")
      stream.close()
    }

    /// Sends a request, and checks the response against the description of the route.
    @discardableResult
    mutating func ask(
      _ route: String, _ path: String? = nil, as token: String?, _ body: String? = nil,
      fields: [String] = []
    ) async throws -> [String: Any] {
      seen.insert(route)
      let parts = route.split(separator: " ").map(String.init)
      let answer = try await client.send(
        parts[0], path ?? parts[1], as: token, body, fields: fields)
      let responses = operations[route]?["responses"] as? [String: [String: Any]] ?? [:]
      let response = responses["\(answer.status)"]
      #expect(response != nil && [200, 204].contains(answer.status), "\(route): \(answer.body)")
      let content = response?["content"] as? [String: [String: Any]]
      guard let described = content?["application/json"]?["schema"] as? [String: Any] else {
        #expect(answer.body == "", "\(route)")
        return [:]
      }
      let value = try JSONSerialization.jsonObject(with: Data(answer.body.utf8))
      #expect(schema.problems(value, described) == [], "\(route)")
      return answer.object
    }
  }
#endif
