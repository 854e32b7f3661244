import Foundation

/// The JSON of values that the runner stores: the states of chunked jobs, and the results of
/// durable steps.
enum StoredJSON {
  /// The maximum size of a stored value, in bytes.
  static let mostBytes = 65_536

  /// Returns the JSON of a value, with sorted keys.
  ///
  /// Because the keys are sorted, equal values have equal JSON.
  static func encode(_ value: some Encodable) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: NonFinite.positive, negativeInfinity: NonFinite.negative,
      nan: NonFinite.nan)
    return try encoder.encode(value)
  }

  /// Decodes a value from JSON text.
  static func decode<Value: Decodable>(_ type: Value.Type, from json: String) throws -> Value {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: NonFinite.positive, negativeInfinity: NonFinite.negative,
      nan: NonFinite.nan)
    return try decoder.decode(type, from: Data(json.utf8))
  }

  /// Returns the name of the field that could not be decoded, and the problem.
  static func problem(_ error: any Error) -> String {
    (error as? DecodingError).map { UnreadablePayload.problem($0) } ?? "\(error)"
  }
}
