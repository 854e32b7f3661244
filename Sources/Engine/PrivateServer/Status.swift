extension PrivateServer {
  /// A server that accepts connections.
  package struct Running: Equatable, Sendable {
    /// The process id of the postmaster.
    package let processID: Int32
    /// The connection string for libpq, with the superuser `postgres`, the database `postgres` and
    /// the unix socket.
    ///
    /// The connection string contains the host and the port, so that PGHOST and PGPORT in the
    /// environment have no effect.
    package let connectionString: String
    /// The major version of the data directory, for example `15`.
    package let version: String
    /// The path of the server's log.
    package let logFile: String
  }

  /// The state of a server's folder.
  package enum Status: Equatable, Sendable {
    /// The folder contains no data.
    ///
    /// The next call to `up` creates the data.
    case absent
    /// The folder contains data, and the server is not running.
    case stopped
    /// The server is running and accepts connections.
    case running(Running)
  }
}
