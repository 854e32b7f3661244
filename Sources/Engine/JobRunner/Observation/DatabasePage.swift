package import BatonPostgres

/// The database of a queue, as far as the reading role may see it.
package struct DatabasePage: Sendable, Codable {
  /// When it was read, by the server's clock.
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
  /// Transactions and other holders that prevent the vacuum of dead rows, the oldest first.
  package let holders: [VacuumHolder]
  /// Whether the transactions of all sessions were visible.
  ///
  /// A role that is not a member of `pg_read_all_stats` sees only its own.
  package let isAllSeen: Bool

  /// One segment of the event log.
  package struct Segment: Sendable, Codable, Hashable {
    /// The number of the segment: 0, 1 or 2.
    package let number: Int
    /// Whether writers append to it.
    package let isCurrent: Bool
    /// The approximate number of events in it, including folded ones.
    package let rows: Int64
    /// Its size on disk with its indexes.
    package let bytes: Int64
    /// When writers moved on to the current segment.
    package let rotatedAt: Timestamp
  }

  /// One table, by the server's statistics.
  package struct Table: Sendable, Codable, Hashable {
    /// Its name.
    package let name: String
    /// The approximate numbers of live and dead rows.
    package let rows, deadRows: Int64
    /// The sizes on disk of the rows, of their indexes, and of everything together.
    package let bytes, indexBytes, totalBytes: Int64
    /// When it was last vacuumed; nil: never since the statistics began.
    package let vacuumedAt: Timestamp?
  }

  /// One index.
  package struct Index: Sendable, Codable, Hashable {
    /// The name of the index, and the name of its table.
    package let name, table: String
    /// Its size on disk.
    package let bytes: Int64
    /// How often it was read since the statistics began.
    package let scans: Int64
  }

  /// A session that waits for other sessions.
  package struct LockWait: Sendable, Codable, Hashable {
    /// Its server process.
    package let pid: Int
    /// The server processes that it waits for.
    package let blockedBy: [Int]
    /// The lock that it waits for: `relation run`, `transactionid`.
    package let lock: String
    /// The mode that it wants: `AccessExclusiveLock`.
    package let mode: String
    /// How long it has waited; nil if the wait has just begun.
    package let seconds: Double?
    /// The user of the session, and its `application_name`; nil if the reading role may not see them.
    package let user, applicationName: String?
  }
}
