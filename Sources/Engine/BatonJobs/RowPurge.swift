/// A purge that deletes old rows of several kinds, up to a maximum number of rows per step.
///
/// Each step begins at the position where the previous step ended. While an old transaction is
/// open, the table's index still contains entries of deleted rows. If each step began at the oldest
/// row, each step would read the index entries of all rows that earlier steps deleted. The position
/// is stored only in memory, so after a crash, the next run begins at the oldest row.
package struct RowPurge<Kind: Sendable>: Sendable {
  private var waiting: ArraySlice<Kind>
  private var position: Int64?

  /// Creates a purge that deletes rows of the given kinds, in the given order.
  package init(_ kinds: [Kind]) { waiting = kinds[...] }

  /// Deletes the next chunk of old rows.
  ///
  /// A kind of row is finished when a call deletes no rows and does not advance the position.
  /// Locked rows, and rows that a foreign key refers to, remain until the next run.
  ///
  /// - Parameter purge: deletes rows of the given kind that come after the given position. In the
  ///   first call for each kind, the position is nil. The closure returns the number of deleted
  ///   rows, and the position of the last row that it read.
  /// - Returns: the kind and the number of deleted rows, or nil if all kinds are finished.
  /// - Throws: any error that the closure throws.
  package mutating func step(
    _ purge: (Kind, Int64?) async throws -> (deleted: Int, reached: Int64?)
  ) async throws -> (kind: Kind, deleted: Int)? {
    while let kind = waiting.first {
      let (deleted, reached) = try await purge(kind, position)
      if let reached, deleted > 0 || reached != position {
        position = reached
        return (kind, deleted)
      }
      waiting.removeFirst()
      position = nil
    }
    return nil
  }
}
