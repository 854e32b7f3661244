public import Foundation
public import ProductKit

/// The JSON format of entities.
///
/// Decoding accepts a time only in the exact form in which encoding writes it.
public enum WireFormat: EntityFormat {
  /// The maximum size of a document in bytes: 1 MiB.
  ///
  /// A page of 100 long messages needs half of the maximum size.
  public static let mostBytes = 1 << 20

  /// Parses a UTC time with exactly 27 characters.
  public static func instant(_ text: String) -> Date? { InstantText.exactDate(text) }
}
