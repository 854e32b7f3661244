/// The reason why a private server could not be started, stopped or checked, in the three parts that a person needs.
package struct PrivateServerError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What happened; may end in the last lines of the server's log.
  package let what: String
  /// The file, folder or program concerned.
  package let `where`: String
  /// What to do about it.
  package let next: String

  /// An error with its parts.
  package init(_ what: String, where place: String, next: String) {
    self.what = what
    self.where = place
    self.next = next
  }

  /// The three parts on lines of their own.
  package var description: String { "\(what)\n  where: \(self.where)\n  next: \(next)" }
}
