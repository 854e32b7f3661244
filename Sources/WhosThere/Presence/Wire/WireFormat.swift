public import Foundation

/// How entities are written for others: JSON, with instants as `2026-01-15T09:30:00.000000Z`.
public enum WireFormat {
  /// The most bytes that are read: a page of a hundred long messages is half of it.
  public static let mostBytes = 1 << 20

  /// What has to be read is too much.
  public struct TooLarge: Error, Hashable, Sendable {
    /// How many bytes there are.
    public let bytes: Int
    /// How many there may be.
    public let limit: Int
  }

  /// Writes an entity; the same one always as the same bytes.
  public static func data(of value: some Encodable) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .custom { date, encoder in
      guard let text = InstantText.text(of: date) else {
        throw EncodingError.invalidValue(
          date,
          .init(codingPath: encoder.codingPath, debugDescription: "not in the years 1900 to 2100"))
      }
      var value = encoder.singleValueContainer()
      try value.encode(text)
    }
    return try encoder.encode(value)
  }

  /// Reads an entity.
  ///
  /// - Throws: `TooLarge`, or a `DecodingError` for all that is not exactly what is asked for.
  public static func read<Value: Decodable>(
    _ type: Value.Type, from data: Data, limit: Int = mostBytes
  ) throws -> Value {
    guard data.count <= limit else { throw TooLarge(bytes: data.count, limit: limit) }
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .custom { decoder in
      let value = try decoder.singleValueContainer()
      guard let date = InstantText.date(try value.decode(String.self)) else {
        throw DecodingError.dataCorruptedError(in: value, debugDescription: "not an instant")
      }
      return date
    }
    return try decoder.decode(type, from: data)
  }
}
