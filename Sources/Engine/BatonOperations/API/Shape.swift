/// The form of a response, as JSON Schema says it.
struct Shape: Sendable {
  /// What a property is.
  indirect enum Kind: Sendable {
    case text, integer, number, flag, instant
    /// One of these words.
    case word([String])
    case one(String)
    case list(Kind)
    /// Values by names.
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
  /// Those that are always there, and those that may lack.
  let always, sometimes: [String: Kind]

  init(_ name: String, _ always: [String: Kind], _ sometimes: [String: Kind] = [:]) {
    (self.name, self.always, self.sometimes) = (name, always, sometimes)
  }

  /// The entry of the description.
  var json: String {
    let properties = always.merging(sometimes) { own, _ in own }.sorted { $0.key < $1.key }
      .map { "\"\($0.key)\":\($0.value.json)" }.joined(separator: ",")
    let required = always.keys.sorted().map { "\"\($0)\"" }.joined(separator: ",")
    return """
      "\(name)":{"type":"object","properties":{\(properties)},"required":[\(required)],\
      "additionalProperties":\(always.isEmpty && sometimes.isEmpty)}
      """
  }
}
