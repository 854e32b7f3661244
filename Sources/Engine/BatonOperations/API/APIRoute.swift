import Baton
import JobRunner

/// A route of the API: its path, its fields and its response.
struct APIRoute: Sendable {
  let method: String
  /// The path, with field names in braces, such as `/api/runs/{id}/retry`.
  let path: String
  /// A one-sentence summary for the OpenAPI description.
  let summary: String
  /// The fields of the query, or of the body for a POST request.
  var fields: [APIField] = []
  /// The fields that a request must contain.
  var required: Set<APIField> = []
  /// The type of the JSON response.
  ///
  /// The OpenAPI description derives the response's schema from this type.
  let response: any (Decodable & Sendable).Type
  let respond: @Sendable (API, APICall) async throws -> String

  /// The segments of the path between slashes.
  var segments: [Substring] { path.split(separator: "/") }

  /// The fields in the path.
  var inPath: [APIField] {
    segments.filter { $0.hasPrefix("{") }.compactMap {
      APIField(rawValue: String($0.dropFirst().dropLast()))
    }
  }

  /// Returns the values of the path's fields, or nil if the path does not match.
  func match(_ parts: [String]) -> [APIField: String]? {
    let own = segments
    guard own.count == parts.count else { return nil }
    var found: [APIField: String] = [:]
    for (part, own) in zip(parts, own) {
      if own.hasPrefix("{") {
        guard let field = APIField(rawValue: String(own.dropFirst().dropLast())) else { return nil }
        found[field] = part
      } else if own != part {
        return nil
      }
    }
    return found
  }
}

/// An API request whose fields have all been validated.
struct APICall: Sendable {
  private let values: [APIField: String]
  /// The name of the user, for the audit log.
  let person: String

  /// Validates the fields of an API request.
  ///
  /// - Throws: `Complaint` if a field is unknown, missing or invalid.
  init(
    _ request: Request, _ route: APIRoute, _ inPath: [APIField: String], by person: String
  ) throws {
    self.person = person
    var said = try Self.query(request, route)
    if route.method == "POST" { said = try Self.body(request, route) }
    for field in route.required where said[field] == nil {
      throw Complaint(
        .usage, what: "\(field.rawValue) is missing.", place: route.path,
        next: "Send \(field.rule.text).")
    }
    values = said.merging(inPath) { _, own in own }
    for (field, text) in values where !field.rule.isGood(text) {
      throw Complaint(
        .usage, what: "'\(text.prefix(80))' is not a valid \(field.rawValue).", place: route.path,
        next: "Send \(field.rule.text).")
    }
  }

  private static func query(_ request: Request, _ route: APIRoute) throws -> [APIField: String] {
    guard let query = request.query else {
      throw Complaint(
        .usage, what: "The query cannot be read.", place: route.path,
        next: "Send UTF-8, and % with two hexadecimal digits.")
    }
    let known = route.method == "POST" ? [] : route.fields
    var found: [APIField: String] = [:]
    for (name, values) in query {
      guard let field = known.first(where: { $0.rawValue == name }) else {
        throw Complaint(unknown: name, known, route)
      }
      guard values.count == 1 else {
        throw Complaint(
          .usage, what: "\(name) is given \(values.count) times.", place: route.path,
          next: "Send it once.")
      }
      found[field] = values[0]
    }
    return found
  }

  private static func body(_ request: Request, _ route: APIRoute) throws -> [APIField: String] {
    guard !request.body.isEmpty else { return [:] }
    guard let fields = try? JSON.object(request.body) else {
      throw Complaint(
        .usage, what: "The body is not a JSON object with texts, whole numbers and Boolean values.",
        place: route.path, next: "See the allowed fields in /api/openapi.json.")
    }
    var found: [APIField: String] = [:]
    for (name, value) in fields {
      guard let field = route.fields.first(where: { $0.rawValue == name }) else {
        throw Complaint(unknown: name, route.fields, route)
      }
      guard field.rule.isOfKind(value) else {
        throw Complaint(
          .usage, what: "\(name) has the wrong type.", place: route.path,
          next: "Send \(field.rule.text).")
      }
      found[field] = value.text
    }
    return found
  }

  /// Returns the value of a required field or of a field in the path.
  func text(_ field: APIField) -> String { values[field] ?? "" }

  /// Returns the value of an optional field, or nil if the field is missing.
  func optional(_ field: APIField) -> String? { values[field] }

  var id: Int64 { Int64(text(.id)) ?? 0 }
}

extension Complaint {
  fileprivate init(unknown name: String, _ known: [APIField], _ route: APIRoute) {
    let names = known.map(\.rawValue).joined(separator: ", ")
    self.init(
      .usage, what: "'\(name.prefix(80))' is not a field of this request.", place: route.path,
      next: known.isEmpty ? "Omit the field." : "The fields are \(names).")
  }
}
