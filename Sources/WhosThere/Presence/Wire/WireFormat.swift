public import Foundation
public import ProductKit

/// The JSON of entities; instants have exactly the form that is written.
public enum WireFormat: EntityFormat {
  /// A page of a hundred long messages takes half of it.
  public static let mostBytes = 1 << 20

  /// An instant of 27 characters, in UTC.
  public static func instant(_ text: String) -> Date? { InstantText.exactDate(text) }
}
