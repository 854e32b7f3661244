extension PrivateServer {
  /// A server that accepts connections.
  package struct Running: Equatable, Sendable {
    /// The postmaster's process id.
    package let processID: Int32
    /// For libpq: superuser `postgres`, database `postgres`, over the unix socket.
    ///
    /// Host and port are named, so that PGHOST and PGPORT of the environment do not matter.
    package let connectionString: String
    /// The major version of the data folder, as in `15`.
    package let version: String
    /// The server's log.
    package let logFile: String
  }

  /// What is in the folder.
  package enum Status: Equatable, Sendable {
    /// No data folder: `up` will make one.
    case absent
    /// A data folder and no server.
    case stopped
    /// A server that accepts connections.
    case running(Running)
  }
}
