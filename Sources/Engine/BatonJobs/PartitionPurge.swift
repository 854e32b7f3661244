/// Empties old partitions one after the other, a step each; one that is in use is tried again.
///
/// A reader of a partition is soon done, but others follow. So the partition is tried again after the
/// others, and left for the next run where that does not help.
package struct PartitionPurge<Partition: Sendable>: Sendable {
  /// Nil: not looked for yet.
  private var waiting: ArraySlice<Partition>?
  private var patience = 20

  /// A purge that has not begun.
  package init() {}

  /// Empties the next partition.
  ///
  /// - Parameters:
  ///   - list: finds the old ones; asked once.
  ///   - empty: empties one; false where it holds something young, nil where somebody is using it.
  /// - Returns: what was done; nil where there is no partition left.
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

  /// The counts of a purge, so that a report always has them in this place.
  package static func report(emptied: Int = 0, inUse: Int = 0) -> Report {
    ["partitions emptied": emptied, "partitions in use": inUse]
  }
}
