/// One piece of the data stored about a user.
///
/// The database returns the pieces one after the other, so a large export does not need much memory
/// on the server.
package struct ExportPiece: Sendable {
  /// The name of the part that the piece belongs to.
  ///
  /// Consecutive pieces can belong to the same part.
  package let part: String
  /// The piece's rows as a JSON list.
  package let rows: String
  /// The position of the next piece, or nil after the last piece.
  package let next: String?

  package init(part: String, rows: String, next: String?) {
    (self.part, self.rows, self.next) = (part, rows, next)
  }
}
