/// Why a check-in file could not be read, in the three parts a person needs.
package struct CheckInFileError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What happened.
  package let what: String
  /// The file, with the number of the line if one line is concerned.
  package let place: String
  /// What to do about it.
  package let next: String
  /// Whether the file could not even be opened.
  package let isMissingFile: Bool

  /// An error with its parts.
  package init(_ what: String, place: String, next: String, isMissingFile: Bool = false) {
    self.what = what
    self.place = place
    self.next = next
    self.isMissingFile = isMissingFile
  }

  /// The three parts on lines of their own.
  package var description: String { "\(what)\n  where: \(place)\n  next: \(next)" }
}
