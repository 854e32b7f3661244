package import BatonPostgres

/// The database of a queue, as far as whoever looks may see it.
package struct DatabasePage: Sendable, Codable {
  /// When it was looked, by the server's clock.
  package let at: Timestamp
  /// The server's version: `15.18`.
  package let version: String
  /// The size of the database in bytes.
  package let bytes: Int64
  /// The segments of the event log.
  package let segments: [Segment]
  /// The largest tables of the schema, 50 at most.
  package let tables: [Table]
  /// The largest indexes of the schema, 50 at most.
  package let indexes: [Index]
  /// Sessions of this database that wait for a lock, the one that has waited longest first; 50 at most.
  package let waits: [LockWait]
  /// What keeps dead rows from being vacuumed, the oldest first.
  package let holders: [VacuumHolder]
  /// Whether the transactions of all sessions could be seen.
  ///
  /// Who is no member of `pg_read_all_stats` sees those of its own role.
  package let isAllSeen: Bool

  /// One segment of the event log.
  package struct Segment: Sendable, Codable, Hashable {
    /// Which one: 0, 1 or 2.
    package let number: Int
    /// Whether writers append to it.
    package let isCurrent: Bool
    /// About how many events it holds, folded ones too.
    package let rows: Int64
    /// Its size on disk with its indexes.
    package let bytes: Int64
    /// When writers went on to the current one.
    package let rotatedAt: Timestamp
  }

  /// One table, by the server's statistics.
  package struct Table: Sendable, Codable, Hashable {
    /// Its name.
    package let name: String
    /// About how many rows are alive and dead.
    package let rows, deadRows: Int64
    /// Its size on disk: the rows, their indexes, all of it.
    package let bytes, indexBytes, totalBytes: Int64
    /// When it was last vacuumed; nil: never since the statistics began.
    package let vacuumedAt: Timestamp?
  }

  /// One index.
  package struct Index: Sendable, Codable, Hashable {
    /// Its name, and its table's.
    package let name, table: String
    /// Its size on disk.
    package let bytes: Int64
    /// How often it was read since the statistics began.
    package let scans: Int64
  }

  /// A session that waits for others.
  package struct LockWait: Sendable, Codable, Hashable {
    /// Its server process, and those that it waits for.
    package let pid: Int
    /// The server processes that it waits for.
    package let blockedBy: [Int]
    /// What it waits for: `relation run`, `transactionid`.
    package let lock: String
    /// The mode that it wants: `AccessExclusiveLock`.
    package let mode: String
    /// For how long; nil: it began only now.
    package let seconds: Double?
    /// Who is logged in there and what the program says that it is; nil: this may not be seen.
    package let user, applicationName: String?
  }
}
