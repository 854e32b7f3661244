extension Connection {
  /// A server process; its start is included, because another process may get the same process id later.
  public struct Backend: Sendable {
    /// `pg_stat_activity.pid`.
    public let pid: Int32
    /// `pg_stat_activity.backend_start`; nil if this role may not read it.
    public let start: Timestamp?

    /// A server process.
    public init(pid: Int32, start: Timestamp?) {
      self.pid = pid
      self.start = start
    }
  }
}
