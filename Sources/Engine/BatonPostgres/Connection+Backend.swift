extension Connection {
  /// A server process, identified by its process id and its start time.
  ///
  /// The start time is needed because another process may get the same process id later.
  public struct Backend: Sendable {
    /// The process id, as in `pg_stat_activity.pid`.
    public let pid: Int32
    /// The start time from `pg_stat_activity.backend_start`, or nil if the current role may not
    /// read it.
    public let start: Timestamp?

    /// Creates the identification of a server process.
    public init(pid: Int32, start: Timestamp?) {
      self.pid = pid
      self.start = start
    }
  }
}
