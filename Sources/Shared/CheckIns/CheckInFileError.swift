/// The reason why a check-in file could not be read.
///
/// The reason has three parts: what happened, where, and what to do next.
package struct CheckInFileError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What happened.
  package let what: String
  /// The path of the file, with a line number if one line is the cause.
  package let place: String
  /// The next step to fix the problem.
  package let next: String
  /// Whether the file could not be opened or read.
  package let isMissingFile: Bool

  /// Creates an error from its parts.
  package init(_ what: String, place: String, next: String, isMissingFile: Bool = false) {
    self.what = what
    self.place = place
    self.next = next
    self.isMissingFile = isMissingFile
  }

  /// The three parts, each on a separate line.
  package var description: String { "\(what)\n  where: \(place)\n  next: \(next)" }
}
