public import BatonPostgres

/// The database of a queue, as far as whoever looks may see it.
public struct DatabasePage: Sendable, Codable {
  /// When it was looked, by the server's clock.
  public let at: Timestamp
  /// The server's version: `15.18`.
  public let version: String
  /// The size of the database in bytes.
  public let bytes: Int64
  /// The segments of the event log.
  public let segments: [Segment]
  /// The largest tables of the schema, 50 at most.
  public let tables: [Table]
  /// The largest indexes of the schema, 50 at most.
  public let indexes: [Index]
  /// Sessions of this database that wait for a lock, the one that has waited longest first; 50 at most.
  public let waits: [LockWait]
  /// What keeps dead rows from being vacuumed, the oldest first.
  public let holders: [VacuumHolder]
  /// Whether the transactions of all sessions could be seen.
  ///
  /// Who is no member of `pg_read_all_stats` sees those of its own role.
  public let isAllSeen: Bool

  /// One segment of the event log.
  public struct Segment: Sendable, Codable, Hashable {
    /// Which one: 0, 1 or 2.
    public let number: Int
    /// Whether writers append to it.
    public let isCurrent: Bool
    /// About how many events it holds, folded ones too.
    public let rows: Int64
    /// Its size on disk with its indexes.
    public let bytes: Int64
    /// When writers went on to the current one.
    public let rotatedAt: Timestamp
  }

  /// One table, by the server's statistics.
  public struct Table: Sendable, Codable, Hashable {
    /// Its name.
    public let name: String
    /// About how many rows are alive and dead.
    public let rows, deadRows: Int64
    /// Its size on disk: the rows, their indexes, all of it.
    public let bytes, indexBytes, totalBytes: Int64
    /// When it was last vacuumed; nil: never since the statistics began.
    public let vacuumedAt: Timestamp?
  }

  /// One index.
  public struct Index: Sendable, Codable, Hashable {
    /// Its name, and its table's.
    public let name, table: String
    /// Its size on disk.
    public let bytes: Int64
    /// How often it was read since the statistics began.
    public let scans: Int64
  }

  /// A session that waits for others.
  public struct LockWait: Sendable, Codable, Hashable {
    /// Its server process, and those that it waits for.
    public let pid: Int
    /// The server processes that it waits for.
    public let blockedBy: [Int]
    /// What it waits for: `relation run`, `transactionid`.
    public let lock: String
    /// The mode that it wants: `AccessExclusiveLock`.
    public let mode: String
    /// For how long; nil: it began only now.
    public let seconds: Double?
    /// Who is logged in there and what the program says that it is; nil: this may not be seen.
    public let user, applicationName: String?
  }
}
