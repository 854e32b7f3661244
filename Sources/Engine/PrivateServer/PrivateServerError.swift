/// Why a private server could not be started, stopped or asked, in the three parts a person needs.
public struct PrivateServerError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What happened; may end in the last lines of the server's log.
  public let what: String
  /// The file, folder or program concerned.
  public let `where`: String
  /// What to do about it.
  public let next: String

  /// An error with its parts.
  public init(_ what: String, where place: String, next: String) {
    self.what = what
    self.where = place
    self.next = next
  }

  /// The three parts on lines of their own.
  public var description: String { "\(what)\n  where: \(self.where)\n  next: \(next)" }
}
