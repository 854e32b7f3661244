package import BatonPostgres

/// The state of a queue's database, as far as the reading role can see it.
package struct DatabasePage: Sendable, Codable {
  /// The time when the values were read, by the server's clock.
  package let at: Timestamp
  /// The server's version, for example `15.18`.
  package let version: String
  /// The size of the database in bytes.
  package let bytes: Int64
  /// The segments of the event log.
  package let segments: [Segment]
  /// Up to 50 of the schema's largest tables.
  package let tables: [Table]
  /// Up to 50 of the schema's largest indexes.
  package let indexes: [Index]
  /// Up to 50 of this database's sessions that are waiting for a lock, longest wait first.
  package let waits: [LockWait]
  /// The transactions and replication slots that prevent VACUUM from removing dead rows, oldest
  /// first.
  package let holders: [VacuumHolder]
  /// Whether the reading role could see all sessions' transactions.
  ///
  /// A role that is not a member of `pg_read_all_stats` can see only its own transactions.
  package let isAllSeen: Bool

  /// A segment of the event log.
  package struct Segment: Sendable, Codable, Hashable {
    /// The number of the segment: 0, 1 or 2.
    package let number: Int
    /// Whether writers append to this segment.
    package let isCurrent: Bool
    /// The approximate number of events in the segment, including events that have already been
    /// dispatched.
    package let rows: Int64
    /// The size of the segment on disk in bytes, including indexes.
    package let bytes: Int64
    /// The time when writers began to append to this segment.
    package let rotatedAt: Timestamp
  }

  /// The statistics of a table, as reported by the server.
  package struct Table: Sendable, Codable, Hashable {
    /// The name of the table.
    package let name: String
    /// The approximate numbers of live and dead rows.
    package let rows, deadRows: Int64
    /// The sizes on disk in bytes: of the rows, of the indexes, and in total.
    package let bytes, indexBytes, totalBytes: Int64
    /// The time of the last vacuum, or nil if the server's statistics do not record a vacuum.
    package let vacuumedAt: Timestamp?
  }

  /// An index of the schema.
  package struct Index: Sendable, Codable, Hashable {
    /// The name of the index and the name of the indexed table.
    package let name, table: String
    /// The size of the index on disk in bytes.
    package let bytes: Int64
    /// The number of scans of the index since the server's statistics were last reset.
    package let scans: Int64
  }

  /// A session that is waiting for a lock held by other sessions.
  package struct LockWait: Sendable, Codable, Hashable {
    /// The process id of the session on the server.
    package let pid: Int
    /// The process ids of the sessions that block this session.
    package let blockedBy: [Int]
    /// The requested lock, for example `relation run` or `transactionid`.
    package let lock: String
    /// The requested lock mode, for example `AccessExclusiveLock`.
    package let mode: String
    /// How long the session has been waiting, in seconds, or nil if the wait has just begun.
    package let seconds: Double?
    /// The user and the `application_name` of the session, or nil if the reading role cannot see
    /// them.
    package let user, applicationName: String?
  }
}
