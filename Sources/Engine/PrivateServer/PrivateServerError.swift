/// The reason why a private server could not be started, stopped or checked.
///
/// The reason has three parts: the problem, the place, and the next step.
package struct PrivateServerError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The description of the problem, optionally followed by the last lines of the server's log.
  package let what: String
  /// The affected file, folder or program.
  package let `where`: String
  /// The next step to fix the problem.
  package let next: String

  /// Creates an error from its three parts.
  package init(_ what: String, where place: String, next: String) {
    self.what = what
    self.where = place
    self.next = next
  }

  /// The three parts, each on a separate line.
  package var description: String { "\(what)\n  where: \(self.where)\n  next: \(next)" }
}
