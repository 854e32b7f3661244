public import Foundation
public import ProductKit

/// The JSON format of entities.
///
/// Times may have any UTC offset and up to 9 fractional-second digits.
public enum WireFormat: EntityFormat {
  /// The maximum size of a document in bytes: 2 MiB.
  ///
  /// A board with 1,000 members and long names needs a quarter of the maximum size.
  public static let mostBytes = 2 << 20

  /// Parses a time in one of the ISO 8601 forms that ``InstantText`` accepts.
  public static func instant(_ text: String) -> Date? { InstantText.date(text) }
}
