/// The JSON Schema of a response, which ``ShapeReader`` derives from a Swift type.
struct Shape: Sendable {
  /// The type of a property.
  indirect enum Kind: Sendable {
    case text, integer, number, flag, instant
    /// A string with one of the given values.
    case word([String])
    case one(String)
    case list(Kind)
    /// An object with arbitrary names and values of one type.
    case map(Kind)

    var json: String {
      switch self {
      case .text: #"{"type":"string"}"#
      case .integer: #"{"type":"integer"}"#
      case .number: #"{"type":"number"}"#
      case .flag: #"{"type":"boolean"}"#
      case .instant: #"{"type":"string","format":"date-time"}"#
      case .word(let words):
        #"{"type":"string","enum":[\#(words.map { "\"\($0)\"" }.joined(separator: ","))]}"#
      case .one(let name): ##"{"$ref":"#/components/schemas/\##(name)"}"##
      case .list(let kind): #"{"type":"array","items":\#(kind.json)}"#
      case .map(let kind): #"{"type":"object","additionalProperties":\#(kind.json)}"#
      }
    }
  }

  let name: String
  var properties: [String: Kind] = [:]
  /// The properties that may be missing.
  var optional: Set<String> = []

  /// The shape as JSON Schema.
  ///
  /// If the shape has no properties, the schema allows any object.
  var json: String {
    let entries = properties.sorted { $0.key < $1.key }
      .map { "\"\($0.key)\":\($0.value.json)" }.joined(separator: ",")
    let required = properties.keys.filter { !optional.contains($0) }.sorted()
      .map { "\"\($0)\"" }.joined(separator: ",")
    return """
      "\(name)":{"type":"object","properties":{\(entries)},"required":[\(required)],\
      "additionalProperties":\(properties.isEmpty)}
      """
  }
}

/// An object with any properties.
///
/// The OpenAPI description does not list the object's properties.
struct AnyJSON: Codable, Sendable {}
