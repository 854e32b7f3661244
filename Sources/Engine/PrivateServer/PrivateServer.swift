import Foundation

/// A private PostgreSQL server, with all of its files in one folder.
///
/// ```
/// absent ──up──▶ running ──down──▶ stopped ──up──▶ running ──destroy──▶ absent
/// ```
/// Two locks in the folder coordinate concurrent callers:
/// - The caller that changes the state locks `up.lock`, so that concurrent calls to `up` run one
///   after another.
/// - The server's processes and initdb hold a lock on `server.lock`. When the server's last process
///   ends, for any reason, the kernel releases `server.lock`. A process id in a file does not prove
///   that the server is running. After a container restarts, another process can have the server's
///   old process id.
///
/// Every function blocks the calling thread while PostgreSQL's programs run. The server outlives
/// the caller and does not receive the caller's Ctrl-C. The type supports only Linux, because it
/// uses `/proc` if the caller is root (see `ServerAccount`).
package struct PrivateServer: Sendable {
  /// The path of the server's folder, as the caller passed it.
  ///
  /// The first call to `up` creates the folder.
  package let directory: String
  let settings: ServerSettings

  /// Creates a server in `directory`.
  ///
  /// A new server is not running until the first call to `up`.
  ///
  /// - Parameters:
  ///   - directory: the folder for the data, the log and the locks, and for the socket if the path
  ///     is short enough.
  ///   - settings: names and values for postgresql.conf, without quotes. The settings override the
  ///     defaults when the server starts. If the `fsync` setting is off, initdb does not sync a new
  ///     data directory.
  ///   - loopbackPort: a port on 127.0.0.1 on which the server also listens, with a password
  ///     (scram-sha-256). If the port is nil, the server has only a unix socket, which only the
  ///     server's user and root can access.
  package init(
    directory: String, settings: [(name: String, value: String)] = [], loopbackPort: Int? = nil
  ) {
    self.directory = directory
    self.settings = ServerSettings(own: settings, loopbackPort: loopbackPort)
  }

  /// Starts the server, or does nothing if the server is already running.
  ///
  /// The first call creates the data directory.
  ///
  /// - Throws: `PrivateServerError` if PostgreSQL is not installed or does not start.
  package func up() throws(PrivateServerError) -> Running {
    let (folder, lock) = try ServerFolder.createAndLock(at: directory)
    defer { lock.release() }
    var patience = Patience(seconds: 60)
    repeat {
      if let free = try FileLock.attempt(folder.serverLock) {
        defer { free.release() }
        return try ServerStart(folder: folder, settings: settings).run(handingOver: free)
      }
      if let running = try folder.running() { return running }
    } while patience.wait()
    throw folder.neitherRunningNorGone
  }

  /// Stops the server and rolls back open transactions, or does nothing if the server is not
  /// running.
  ///
  /// - Throws: `PrivateServerError` if the server does not stop within a minute.
  package func down() throws(PrivateServerError) {
    guard let (folder, lock) = try ServerFolder.lockExisting(at: directory) else { return }
    defer { lock.release() }
    try ServerStop(folder: folder).run(mode: "fast")
  }

  /// Returns the folder's current state.
  ///
  /// The method waits while an `up` or `down` is running.
  ///
  /// - Throws: `PrivateServerError` if the folder belongs to another user.
  package func status() throws(PrivateServerError) -> Status {
    guard let (folder, lock) = try ServerFolder.lockExisting(at: directory) else { return .absent }
    defer { lock.release() }
    var patience = Patience(seconds: 10)
    repeat {
      if let free = try FileLock.attempt(folder.serverLock) {
        free.release()
        return folder.hasData ? .stopped : .absent
      }
      if let running = try folder.running() { return .running(running) }
    } while patience.wait()
    throw folder.neitherRunningNorGone
  }

  /// Stops the server immediately and removes its files.
  ///
  /// The folder itself is also removed if it contains no other files.
  ///
  /// - Throws: `PrivateServerError` if the server does not stop or a file cannot be removed.
  package func destroy() throws(PrivateServerError) {
    guard let (folder, lock) = try ServerFolder.lockExisting(at: directory) else { return }
    defer { lock.release() }
    try ServerStop(folder: folder).run(mode: "immediate")
    try folder.remove()
  }

  /// Returns the path of a program in the PostgreSQL installation, such as `psql`, or nil if the
  /// program is missing.
  package static func program(named name: String) -> String? { Installation.clientProgram(name) }
}
