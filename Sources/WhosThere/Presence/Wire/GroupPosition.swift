import Foundation
import ProductKit

/// The position of a page of public groups: the name and the id of the last group before the page.
///
/// In a URL, the position is one base64url string, because a group's name can contain any
/// characters.
package struct GroupPosition: Codable, Sendable {
  /// The name of the last group before the page.
  package let name: String
  /// The id of the last group before the page.
  package let id: String

  /// Creates the position of the page after a group.
  package init(_ group: LocationGroup) { (name, id) = (group.name, group.id) }

  /// Parses a position.
  ///
  /// - Throws: `invalidInput` if the string is not a position.
  package init(_ text: String) throws(AppError) {
    guard let data = Base64URL.data(of: text),
      let position = try? JSONDecoder().decode(GroupPosition.self, from: data)
    else { throw .invalidInput("the position of a page") }
    self = position
  }

  /// The position as one string.
  package var text: String {
    get throws { Base64URL.text(of: try JSONEncoder().encode(self)) }
  }
}
