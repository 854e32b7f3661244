/// The reason why a check-in file could not be read.
///
/// The error has three parts: the problem, its place, and the next step.
package struct CheckInFileError: Error, Equatable, Sendable, CustomStringConvertible {
  /// A sentence that describes the problem.
  package let what: String
  /// The file's path, with a line number if one line is the cause.
  package let place: String
  /// The next step for fixing the problem.
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
