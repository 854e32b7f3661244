import Foundation

/// A private PostgreSQL server, with all of its files in one folder.
///
/// ```
/// absent ──up──▶ running ──down──▶ stopped ──up──▶ running ──destroy──▶ absent
/// ```
/// Two locks in the folder enforce these states for callers that do not know each other:
/// - `up.lock` is held by the caller that changes the state, so that two calls of `up` take turns.
/// - `server.lock` is held by the server's own processes (and by initdb). The kernel releases it when the last process
///   ends, for any reason. A process id in a file is not enough: after a restart of a container the same small number
///   can belong to another process.
///
/// Every function blocks the calling thread while programs of PostgreSQL run. The server outlives the caller and does
/// not receive its Ctrl-C. Linux only: root needs `/proc` (see `ServerAccount`).
package struct PrivateServer: Sendable {
  /// The folder as the caller gave it; the first `up` creates it.
  package let directory: String
  let settings: ServerSettings

  /// A server in `directory`; nothing happens before `up`.
  ///
  /// - Parameters:
  ///   - directory: the folder of data, log, locks and (if the path is short enough) the socket.
  ///   - settings: names and plain values (without quotes) for postgresql.conf, which override the defaults; used when
  ///     the server starts. If fsync is off, a new data folder is not synced either.
  ///   - loopbackPort: also listen on 127.0.0.1, with a password (scram-sha-256). Without it there is only a unix
  ///     socket, which only the server's user and root can access.
  package init(
    directory: String, settings: [(name: String, value: String)] = [], loopbackPort: Int? = nil
  ) {
    self.directory = directory
    self.settings = ServerSettings(own: settings, loopbackPort: loopbackPort)
  }

  /// Starts the server, and creates its data folder on first use; does nothing if the server already runs.
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

  /// Stops the server and rolls back open transactions; does nothing if the server is not running.
  ///
  /// - Throws: `PrivateServerError` if the server does not stop within a minute.
  package func down() throws(PrivateServerError) {
    guard let (folder, lock) = try ServerFolder.lockExisting(at: directory) else { return }
    defer { lock.release() }
    try ServerStop(folder: folder).run(mode: "fast")
  }

  /// The present state of the folder; waits while an `up` or `down` runs.
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

  /// Stops the server immediately and removes its files; the folder is removed too if nothing else is in it.
  ///
  /// - Throws: `PrivateServerError` if the server does not stop or a file cannot be removed.
  package func destroy() throws(PrivateServerError) {
    guard let (folder, lock) = try ServerFolder.lockExisting(at: directory) else { return }
    defer { lock.release() }
    try ServerStop(folder: folder).run(mode: "immediate")
    try folder.remove()
  }

  /// The path of a program of the installed PostgreSQL, such as `psql`; nil if it is missing.
  package static func program(named name: String) -> String? { Installation.clientProgram(name) }
}
