/// A purge that deletes old rows of several kinds, one limited piece in each step.
///
/// Each piece begins where the piece before it ended. While another transaction is old, deleted
/// rows stay in their index, and a piece that began at the oldest row would read all of them again.
/// The position is only in memory: after a crash, the next run begins at the oldest row.
package struct RowPurge<Kind: Sendable>: Sendable {
  private var waiting: ArraySlice<Kind>
  private var position: Int64?

  /// Creates a purge that deletes rows of these kinds, in this order.
  package init(_ kinds: [Kind]) { waiting = kinds[...] }

  /// Deletes the next piece.
  ///
  /// A kind is done when a piece deletes nothing and gets no further. Rows that other transactions
  /// lock, or to which other rows refer, are left for the next run.
  ///
  /// - Parameter purge: deletes rows of a kind from a position on, which is nil at the beginning.
  ///   The closure returns the number of deleted rows, and the position of the last row that it
  ///   read.
  /// - Returns: the kind and the number of its deleted rows, or nil if nothing is left.
  /// - Throws: the errors of the closure.
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
