/// What retention needs of the store: each call removes a bounded number of things and is repeated
/// until it finds none.
public protocol Retention: Sendable {
  /// Removes final boards of weeks that ended long ago, oldest first, with all that hangs on them.
  ///
  /// - Returns: how many boards.
  func purgeBoards(limit: Int) async throws -> Int

  /// Forgets who was told of weeks whose boards are gone.
  func purgeWeekNotices(limit: Int) async throws -> Int

  /// Removes dead runs that nobody has tried again for long.
  func purgeDeadRuns(limit: Int) async throws -> Int

  /// What would go, table by table, at this moment.
  func expired() async throws -> [ExpiredRows]

  /// Slots of notices and of the history of runs that hold nothing young, oldest first.
  func oldSlots() async throws -> [Slot]

  /// Empties one slot if nothing in it is young.
  func empty(_ slot: Slot) async throws -> SlotOutcome
}

/// A part of a table that goes as a whole.
public struct Slot: Sendable, Hashable {
  /// The partition's name.
  public let partition: String
  /// Microseconds since 1970-01-01 00:00 UTC: what is younger is kept.
  public let cutoff: Int64

  /// A slot and its cutoff.
  public init(partition: String, cutoff: Int64) {
    self.partition = partition
    self.cutoff = cutoff
  }
}

/// What became of a slot that was to be emptied.
public enum SlotOutcome: Sendable {
  /// It is empty now.
  case emptied
  /// It holds something young, or is empty already.
  case kept
  /// Somebody reads or writes it: try later.
  case inUse
}

/// Rows of one table that are no longer kept.
public struct ExpiredRows: Sendable, Hashable {
  /// The table, or the slot that goes as a whole.
  public let table: String
  /// How many rows.
  public let rows: Int
  /// When the oldest and the newest of them ended or were written, ISO 8601 in UTC.
  public let oldest, newest: String?

  /// Rows of a table.
  public init(table: String, rows: Int, oldest: String?, newest: String?) {
    self.table = table
    self.rows = rows
    self.oldest = oldest
    self.newest = newest
  }
}
