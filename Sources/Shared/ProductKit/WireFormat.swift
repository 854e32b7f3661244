public import Foundation

/// The JSON of entities, in which instants are `2026-01-15T09:30:00.000000Z`.
public enum WireFormat {
  /// The most bytes that are read: a board of a thousand members with long names takes a quarter of it.
  public static let mostBytes = 2 << 20

  /// The data has more bytes than its reader accepts.
  public struct TooLarge: Error, Hashable, Sendable {
    /// The number of bytes of the data.
    public let bytes: Int
    /// The number of bytes that are accepted.
    public let limit: Int
  }

  /// Writes an entity.
  ///
  /// Equal entities have equal bytes.
  ///
  /// - Throws: `EncodingError` for an instant outside of the years 1900 to 2100.
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
  /// - Throws: `TooLarge`, or a `DecodingError` if the data is not of this type.
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
