public import Foundation

/// The JSON format of a product's entities, in which an instant has a form such as
/// `2026-01-15T09:30:00.000000Z`.
///
/// ```swift
/// public enum WireFormat: EntityFormat {
///   public static let mostBytes = 1 << 20
///   public static func instant(_ text: String) -> Date? { InstantText.exactDate(text) }
/// }
/// let data = try WireFormat.data(of: user)
/// ```
public protocol EntityFormat: SendableMetatype {
  /// The default maximum size of the data, in bytes.
  static var mostBytes: Int { get }
  /// Parses an instant, or returns nil if the product does not accept the string.
  static func instant(_ text: String) -> Date?
}

/// The error for data with too many bytes.
public struct EntityTooLarge: Error, Hashable, Sendable {
  /// The number of bytes in the data.
  public let bytes: Int
  /// The maximum number of bytes accepted.
  public let limit: Int
}

extension EntityFormat {
  /// The error that ``read(_:from:limit:)`` throws if the data has too many bytes.
  public typealias TooLarge = EntityTooLarge

  /// Encodes an entity as JSON.
  ///
  /// Equal entities are encoded as the same bytes.
  ///
  /// - Throws: `EncodingError` if an instant is outside the years 1900 to 2100.
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

  /// Decodes an entity from JSON.
  ///
  /// - Throws: `TooLarge` if the data has too many bytes, or a `DecodingError` if the JSON does not
  ///   represent an entity of this type.
  public static func read<Value: Decodable>(
    _ type: Value.Type, from data: Data, limit: Int = Self.mostBytes
  ) throws -> Value {
    guard data.count <= limit else { throw TooLarge(bytes: data.count, limit: limit) }
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .custom { decoder in
      let value = try decoder.singleValueContainer()
      guard let date = instant(try value.decode(String.self)) else {
        throw DecodingError.dataCorruptedError(in: value, debugDescription: "not an instant")
      }
      return date
    }
    return try decoder.decode(type, from: data)
  }
}
