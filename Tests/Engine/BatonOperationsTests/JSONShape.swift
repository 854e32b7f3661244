import Foundation

/// Checks documents against the part of JSON Schema that the description of the API uses.
struct JSONShape {
  /// The description that the server sends.
  let document: [String: Any]

  init(_ text: String) throws {
    document = (try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]) ?? [:]
  }

  var paths: [String: [String: [String: Any]]] {
    document["paths"] as? [String: [String: [String: Any]]] ?? [:]
  }

  var schemas: [String: [String: Any]] {
    let components = document["components"] as? [String: Any]
    return components?["schemas"] as? [String: [String: Any]] ?? [:]
  }

  /// Returns a sentence for each part of a response that differs from the description.
  func faults(of body: String, asked method: String, _ path: String, status: Int) throws -> [String]
  {
    let responses = paths[path]?[method]?["responses"] as? [String: [String: Any]]
    guard let response = responses?["\(status)"] else {
      return ["\(path) does not say \(status)"]
    }
    let content = response["content"] as? [String: [String: Any]]
    guard let schema = content?["application/json"]?["schema"] as? [String: Any] else {
      return ["\(path) does not say what \(status) holds"]
    }
    let value = try JSONSerialization.jsonObject(with: Data(body.utf8), options: .fragmentsAllowed)
    return faults(of: value, schema, at: path)
  }

  private func faults(of value: Any, _ schema: [String: Any], at place: String) -> [String] {
    if let name = (schema["$ref"] as? String)?.split(separator: "/").last {
      guard let shape = schemas[String(name)] else { return ["there is no schema \(name)"] }
      return faults(of: value, shape, at: place)
    }
    switch schema["type"] as? String {
    case "object":
      guard let object = value as? [String: Any] else { return ["\(place) is no object"] }
      return faults(ofObject: object, schema, at: place)
    case "array":
      guard let items = value as? [Any], let item = schema["items"] as? [String: Any] else {
        return ["\(place) is no list"]
      }
      return items.flatMap { faults(of: $0, item, at: "\(place)[]") }
    case "boolean": return Self.isFlag(value) ? [] : ["\(place) is no flag"]
    case "integer":
      let isWhole = (value as? NSNumber).map { $0.doubleValue == $0.doubleValue.rounded() }
      return isWhole == true && !Self.isFlag(value) ? [] : ["\(place) is no whole number"]
    case "number":
      return value is NSNumber && !Self.isFlag(value) ? [] : ["\(place) is not a number"]
    case "string":
      guard let text = value as? String else { return ["\(place) is no text"] }
      if let words = schema["enum"] as? [String], !words.contains(text) {
        return ["\(place) is \(text)"]
      }
      let isInstant = schema["format"] as? String != "date-time" || text.hasSuffix("Z")
      return isInstant ? [] : ["\(place) is no instant"]
    default: return ["\(place) has no type"]
    }
  }

  private func faults(
    ofObject object: [String: Any], _ schema: [String: Any], at place: String
  ) -> [String] {
    let properties = schema["properties"] as? [String: [String: Any]] ?? [:]
    let missing = (schema["required"] as? [String] ?? []).filter { object[$0] == nil }
    let others = schema["additionalProperties"]
    return missing.map { "\(place).\($0) is missing" }
      + object.sorted { $0.key < $1.key }.flatMap { name, value -> [String] in
        if let own = properties[name] { return faults(of: value, own, at: "\(place).\(name)") }
        if let shape = others as? [String: Any] {
          return faults(of: value, shape, at: "\(place).\(name)")
        }
        return others as? Bool == true ? [] : ["\(place).\(name) is not described"]
      }
  }

  private static func isFlag(_ value: Any) -> Bool {
    guard let number = value as? NSNumber else { return false }
    return String(cString: number.objCType) == "c"
  }
}
