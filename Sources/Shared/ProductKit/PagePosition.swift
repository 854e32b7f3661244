package import Foundation

/// The position of a page in a list ordered by time and id.
///
/// In a URL's query, the position is one string, such as `2026-01-15T09:30:00.000000Z_7`.
package struct PagePosition: Sendable {
  /// The time of the last element before the page.
  package let time: Date
  /// The id of the last element before the page.
  package let id: String

  /// The position as one string.
  package let text: String

  /// Creates the position of the page after an element, or returns nil if the time cannot be
  /// formatted.
  package init?(time: Date, id: String) {
    guard let instant = InstantText.text(of: time) else { return nil }
    (self.time, self.id, text) = (time, id, "\(instant)_\(id)")
  }

  /// Parses a position, or returns nil if the string is not a position.
  package init?(_ text: String) {
    let parts = text.split(separator: "_", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let time = InstantText.exactDate(String(parts[0])) else { return nil }
    (self.time, id, self.text) = (time, String(parts[1]), text)
  }
}

extension BidirectionalCollection {
  /// Returns the last element if the page is full, or nil if no page follows.
  ///
  /// - Parameter limit: the maximum number of elements on a page.
  package func lastOfFullPage(_ limit: Int) -> Element? { count == limit ? last : nil }
}
