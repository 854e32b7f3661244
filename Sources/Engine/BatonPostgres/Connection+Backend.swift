extension Connection {
  /// A server process: a process id alone may be used again by another.
  public struct Backend: Sendable {
    /// `pg_stat_activity.pid`.
    public let pid: Int32
    /// `pg_stat_activity.backend_start`; NULL where this role may not see it.
    public let start: Timestamp?

    /// A server process.
    public init(pid: Int32, start: Timestamp?) {
      self.pid = pid
      self.start = start
    }
  }
}
