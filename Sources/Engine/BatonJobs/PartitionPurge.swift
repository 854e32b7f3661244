/// A purge that truncates old partitions, one partition per step.
///
/// If a partition is in use, the purge tries it again after all other partitions. After 20 repeated
/// attempts in total, the purge skips each partition that is in use. The next run tries again to
/// truncate the skipped partitions.
package struct PartitionPurge<Partition: Sendable>: Sendable {
  /// The partitions that have not been truncated yet, or nil before the list of partitions has been
  /// read.
  private var waiting: ArraySlice<Partition>?
  private var patience = 20

  /// Creates a purge that has not started.
  package init() {}

  /// Truncates the next partition.
  ///
  /// - Parameters:
  ///   - list: returns the old partitions. The `list` closure is called once.
  ///   - empty: truncates a partition. The closure returns false if the partition contains a row
  ///     that is too new to be removed, and nil if the partition is in use.
  /// - Returns: the counts of this step, or nil if no partition remains.
  /// - Throws: any error that a closure throws, or `CancellationError`.
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

  /// Returns a report with a purge's counts, always with the same names in the same order.
  package static func report(emptied: Int = 0, inUse: Int = 0) -> Report {
    ["partitions emptied": emptied, "partitions in use": inUse]
  }
}
