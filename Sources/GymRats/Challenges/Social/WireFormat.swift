public import Foundation
public import ProductKit

/// The JSON of entities; instants may have any offset and up to 9 digits of a fraction.
public enum WireFormat: EntityFormat {
  /// A board of a thousand members with long names takes a quarter of it.
  public static let mostBytes = 2 << 20

  /// An instant in ISO 8601, as ``InstantText`` reads it.
  public static func instant(_ text: String) -> Date? { InstantText.date(text) }
}
