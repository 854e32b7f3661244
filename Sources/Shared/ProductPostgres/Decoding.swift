package import BatonPostgres
package import Foundation

/// Unwraps a value that was decoded from a string in the database.
///
/// - Throws: An error if the program does not know the string. No default value is used for an
///   unknown string.
package func known<Value>(
  _ value: Value?, _ what: @autoclosure () -> String
) throws(PostgresError) -> Value {
  guard let value else {
    throw PostgresError(.dataException, "\(what()) is none that this program knows")
  }
  return value
}

extension Array {
  /// Returns the element at a position that the database has returned.
  ///
  /// The first position is 1.
  ///
  /// - Throws: An error if the position does not exist. An array subscript with an invalid position
  ///   would stop the process.
  package func element(_ position: Int64) throws(PostgresError) -> Element {
    try known(
      position > 0 && position <= Int64(count) ? self[Int(position) - 1] : nil,
      "the position \(position) of \(count)")
  }
}

extension String {
  /// The URL of a photo, or nil if the string is not a valid URL.
  ///
  /// An invalid URL is not an error: a list of users can still be read if one URL is invalid.
  package var asPhotoURL: URL? { URL(string: self) }
}
