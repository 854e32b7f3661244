import Foundation

/// Returns a value as one line of JSON, with names in snake case.
package func jsonLine(_ value: some Encodable) throws -> String {
  let encoder = JSONEncoder()
  encoder.keyEncodingStrategy = .convertToSnakeCase
  encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  return String(decoding: try encoder.encode(value), as: UTF8.self).printableJSON
}
