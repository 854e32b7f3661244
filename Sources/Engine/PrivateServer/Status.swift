extension PrivateServer {
  /// A server that accepts connections.
  package struct Running: Equatable, Sendable {
    /// The postmaster's process id.
    package let processID: Int32
    /// For libpq: superuser `postgres`, database `postgres`, over the unix socket.
    ///
    /// It contains host and port, so that PGHOST and PGPORT of the environment have no effect.
    package let connectionString: String
    /// The major version of the data folder, as in `15`.
    package let version: String
    /// The server's log.
    package let logFile: String
  }

  /// The state of the folder.
  package enum Status: Equatable, Sendable {
    /// There is no data folder: `up` will create one.
    case absent
    /// There is a data folder, and no server runs.
    case stopped
    /// A server that accepts connections.
    case running(Running)
  }
}
