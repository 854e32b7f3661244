public import Foundation
public import ProductKit

/// The JSON format of entities.
///
/// Instants must have exactly the form in which they are written.
public enum WireFormat: EntityFormat {
  /// The maximum size of a document in bytes: 1 MiB.
  ///
  /// A page of 100 long messages needs half of this size.
  public static let mostBytes = 1 << 20

  /// Parses an instant of exactly 27 characters in UTC.
  public static func instant(_ text: String) -> Date? { InstantText.exactDate(text) }
}
