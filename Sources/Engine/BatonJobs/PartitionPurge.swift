/// Empties old partitions, one in each step; a partition that is in use is tried again.
///
/// A reader of a partition ends soon, but other readers follow. So the partition is tried again after the others. If
/// that does not help, it is left for the next run.
package struct PartitionPurge<Partition: Sendable>: Sendable {
  /// Nil: not listed yet.
  private var waiting: ArraySlice<Partition>?
  private var patience = 20

  /// Creates a purge that has not begun.
  package init() {}

  /// Empties the next partition.
  ///
  /// - Parameters:
  ///   - list: returns the old partitions; called once.
  ///   - empty: empties one; false if it contains a row that is too young, nil if it is in use.
  /// - Returns: what the step did; nil if no partition is left.
  /// - Throws: what the closures throw; `CancellationError`.
  package mutating func step(
    list: () async throws -> [Partition], empty: (Partition) async throws -> Bool?
  ) async throws -> Report? {
    if waiting == nil { waiting = try await list()[...] }
    guard let next = waiting?.popFirst() else { return nil }
    switch try await empty(next) {
    case true?: return Self.report(emptied: 1)
    case false?: return Self.report()
    case nil where patience == 0: return Self.report(inUse: 1)
    case nil:
      patience -= 1
      waiting?.append(next)
      try await Task.sleep(for: .milliseconds(50))
      return Self.report()
    }
  }

  /// The counts of a purge, always with the same names in the same order.
  package static func report(emptied: Int = 0, inUse: Int = 0) -> Report {
    ["partitions emptied": emptied, "partitions in use": inUse]
  }
}
