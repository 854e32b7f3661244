import Baton
import JobRunner

/// The OpenAPI 3.1 description of the API, derived from the routes and the types of their
/// responses.
enum OpenAPI {
  /// The description as JSON text.
  static let text = """
    {"openapi":"3.1.0",\
    "info":{"title":"Baton","version":"1","description":"What the pages show and do, as JSON. Keys and errors are \
    without mail addresses; outputs are never sent, and a payload only if the audit log records the request."},\
    "security":[{"token":[]}],\
    "paths":{\(paths.joined(separator: ","))},\
    "components":{"securitySchemes":{"token":{"type":"http","scheme":"bearer"}},\
    "schemas":{\(schemas)}}}
    """

  private static var schemas: String {
    let types: [any Decodable.Type] = (API.routes + [status]).map(\.response) + [APIError.self]
    do {
      return try ShapeReader.shapes(of: types).map(\.json).joined(separator: ",")
    } catch {
      preconditionFailure("a response's type has no shape: \(error)")
    }
  }

  /// The route of `/api/status`, to which the health handlers respond.
  private static let status = APIRoute(
    method: "GET", path: "/api/status", summary: "The health checks and all monitoring values.",
    response: RequestHandlers.Status.self
  ) { _, _ in "" }

  private static var paths: [String] {
    let routes = API.routes + [status]
    let names = Set(routes.map(\.path)).sorted()
    return names.map { name in
      let operations = routes.filter { $0.path == name }.map(operation)
      return "\"\(name)\":{\(operations.joined(separator: ","))}"
    }
  }

  private static func operation(_ route: APIRoute) -> String {
    let isPost = route.method == "POST"
    var parts = [
      "\"summary\":\"\(route.summary)\"",
      "\"parameters\":[\(parameters(route).joined(separator: ","))]",
      "\"responses\":{\(responses(route).joined(separator: ","))}",
    ]
    if isPost, !route.fields.isEmpty { parts.append("\"requestBody\":\(body(route))") }
    return "\"\(route.method.lowercased())\":{\(parts.joined(separator: ","))}"
  }

  private static func parameters(_ route: APIRoute) -> [String] {
    let query = route.method == "POST" ? [] : route.fields
    return route.inPath.map { parameter($0, "path", true) }
      + query.map { parameter($0, "query", route.required.contains($0)) }
  }

  private static func parameter(_ field: APIField, _ place: String, _ isRequired: Bool) -> String {
    """
    {"name":"\(field.rawValue)","in":"\(place)","required":\(isRequired),\
    "description":"\(field.rule.text)","schema":\(field.rule.schema)}
    """
  }

  private static func body(_ route: APIRoute) -> String {
    let fields = route.fields.map { "\"\($0.rawValue)\":\($0.rule.schema)" }.joined(separator: ",")
    let required = route.fields.filter(route.required.contains).map { "\"\($0.rawValue)\"" }
    return """
      {"required":\(!required.isEmpty),"content":{"application/json":{"schema":{"type":"object",\
      "properties":{\(fields)},"required":[\(required.joined(separator: ","))],\
      "additionalProperties":false}}}}
      """
  }

  private static func responses(_ route: APIRoute) -> [String] {
    let errors: [(Int, String)] = [
      (400, "The request does not match this description."),
      (401, "The token is missing or wrong."),
      (403, "The server is read-only, or the login lacks a right."),
      (404, "The path or the object does not exist."),
      (405, "The path does not allow this method."),
      (409, "The state of the object does not allow the change."),
      (413, "The body is too long."), (415, "The body is not JSON."),
      (422, "The job failed."), (500, "An internal error."),
      (503, "The database cannot be read."),
    ]
    let failed: any Decodable.Type = route.path == "/api/status" ? AnyJSON.self : APIError.self
    return [response(200, "The request succeeded.", route.response)]
      + errors.map { response($0.0, $0.1, $0.0 == 503 ? failed : APIError.self) }
  }

  private static func response(_ status: Int, _ text: String, _ type: any Decodable.Type) -> String
  {
    """
    "\(status)":{"description":"\(text)","content":{"application/json":{"schema":\
    {"$ref":"#/components/schemas/\(ShapeReader.name(of: type))"}}}}
    """
  }
}
