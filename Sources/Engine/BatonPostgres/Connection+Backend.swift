import CLibPQ

extension Connection {
  /// A server process, identified by its process id and its start time.
  ///
  /// The start time is needed because another process may get the same process id later.
  public struct Backend: Sendable {
    /// The process id, as in `pg_stat_activity.pid`.
    public let pid: Int32
    /// The start time from `pg_stat_activity.backend_start`, or nil if the current role cannot read
    /// that column.
    public let start: Timestamp?

    /// Creates the identifier of a server process.
    public init(pid: Int32, start: Timestamp?) {
      self.pid = pid
      self.start = start
    }
  }

  /// The database, the login and the server for messages, such as
  /// `app as ann at db.example:5432, PostgreSQL 15.8`.
  public var server: String {
    func text(_ value: UnsafePointer<CChar>?) -> String { value.map { String(cString: $0) } ?? "?" }
    let pointer = handle.pointer
    let version = PQserverVersion(pointer)
    return "\(text(PQdb(pointer))) as \(text(PQuser(pointer))) at \(text(PQhost(pointer))):"
      + "\(text(PQport(pointer))), PostgreSQL \(version / 10_000).\(version % 10_000)"
  }
}
