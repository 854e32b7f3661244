import Foundation

/// A check of JSON values against the schemas of an OpenAPI description.
///
/// The check knows only the keywords that the description uses, and fails for any other keyword.
struct JSONSchema {
  let description: [String: Any]

  init(_ text: String) throws {
    description = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] ?? [:]
  }

  private static let keywords: Set = [
    "type", "properties", "required", "additionalProperties", "items", "maxItems", "enum",
    "minLength", "maxLength", "minimum", "maximum", "format", "$ref", "prefixItems", "minItems",
    "pattern",
  ]

  /// Returns the problems of a value.
  func problems(_ value: Any, _ schema: [String: Any], at place: String = "$") -> [String] {
    let unknown = schema.keys.filter { !Self.keywords.contains($0) }
    guard unknown.isEmpty else { return ["\(place): keywords \(unknown)"] }
    if let name = schema["$ref"] as? String {
      return problems(value, named(name) ?? ["missing": name], at: place)
    }
    switch (schema["type"] as? String, value) {
    case ("object", let fields as [String: Any]): return object(fields, schema, at: place)
    case ("array", let list as [Any]) where schema["prefixItems"] != nil:
      let kinds = schema["prefixItems"] as? [[String: Any]] ?? []
      guard schema["items"] as? Bool == false, list.count == kinds.count,
        schema["minItems"] as? Int == kinds.count
      else { return ["\(place): \(list.count) items"] }
      return zip(list, kinds).flatMap { problems($0, $1, at: "\(place)[]") }
    case ("array", let list as [Any]):
      let items = schema["items"] as? [String: Any] ?? [:]
      let isLong = list.count > schema["maxItems"] as? Int ?? 0
      return (isLong ? ["\(place): \(list.count) items"] : [])
        + list.flatMap { problems($0, items, at: "\(place)[]") }
    case ("string", let text as String): return isGood(text, schema) ? [] : ["\(place): '\(text)'"]
    case ("integer", let number as NSNumber):
      let range = (schema["minimum"] as? Int64 ?? 0)...(schema["maximum"] as? Int64 ?? 0)
      return range.contains(number.int64Value) ? [] : ["\(place): \(number)"]
    case ("number", let number as NSNumber):
      let least = (schema["minimum"] as? NSNumber)?.doubleValue ?? 0
      let most = (schema["maximum"] as? NSNumber)?.doubleValue ?? 0
      return (least...most).contains(number.doubleValue) ? [] : ["\(place): \(number)"]
    case ("boolean", is Bool): return []
    default: return ["\(place): \(value) is not a \(schema["type"] ?? "?")"]
    }
  }

  private func named(_ reference: String) -> [String: Any]? {
    let components = description["components"] as? [String: Any]
    let schemas = components?["schemas"] as? [String: Any]
    return schemas?[reference.replacing("#/components/schemas/", with: "")] as? [String: Any]
  }

  private func object(_ fields: [String: Any], _ schema: [String: Any], at place: String)
    -> [String]
  {
    // An object without described properties can have any fields.
    guard let known = schema["properties"] as? [String: [String: Any]] else { return [] }
    let required = schema["required"] as? [String] ?? []
    return required.filter { fields[$0] == nil }.map { "\(place): no \($0)" }
      + fields.flatMap { name, value in
        known[name].map { problems(value, $0, at: "\(place).\(name)") }
          ?? ["\(place): \(name) is not described"]
      }
  }

  private func isGood(_ text: String, _ schema: [String: Any]) -> Bool {
    if let words = schema["enum"] as? [String] { return words.contains(text) }
    if schema["format"] as? String == "date-time" {
      return text.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z/) != nil
    }
    if let pattern = schema["pattern"] as? String {
      return text.range(of: pattern, options: .regularExpression) != nil
    }
    let length = (schema["minLength"] as? Int ?? 0)...(schema["maxLength"] as? Int ?? 0)
    return length.contains(text.unicodeScalars.count)
  }
}
