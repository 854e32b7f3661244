import Foundation

/// A PostgreSQL server of our own, with everything it owns in one folder.
///
/// ```
/// absent ──up──▶ running ──down──▶ stopped ──up──▶ running ──destroy──▶ absent
/// ```
/// Two locks in the folder keep this true for callers that know nothing of each other:
/// - `up.lock` is held by whoever changes the state, so that two `up` take turns;
/// - `server.lock` is held by the server's own processes (and by initdb): the kernel lets go of it
///   when the last one is gone, whatever killed them. A process id in a file cannot say that.
///   After a restart of a container the same small number is somebody else.
///
/// Every function blocks the calling thread while programs of PostgreSQL run. The server outlives
/// the caller and does not see its Ctrl-C. Linux only: root needs `/proc` (see `ServerAccount`).
package struct PrivateServer: Sendable {
  /// The folder as it was given; made by the first `up`.
  package let directory: String
  let settings: ServerSettings

  /// A server in `directory`; nothing happens before `up`.
  ///
  /// - Parameters:
  ///   - directory: where data, log, locks and (if the path is short enough) the socket live.
  ///   - settings: names and plain values (without quotes) for postgresql.conf, over our defaults;
  ///     used when the server starts. With fsync off a new data folder is not synced either.
  ///   - loopbackPort: also listen on 127.0.0.1, where a password is asked for (scram-sha-256);
  ///     without it there is only a unix socket that the server's user and root may enter.
  package init(
    directory: String, settings: [(name: String, value: String)] = [], loopbackPort: Int? = nil
  ) {
    self.directory = directory
    self.settings = ServerSettings(own: settings, loopbackPort: loopbackPort)
  }

  /// Starts the server and makes its data folder on first use; does nothing where it runs already.
  ///
  /// - Throws: `PrivateServerError` where PostgreSQL is not installed or does not start.
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

  /// Stops the server, rolling open transactions back; does nothing where it is not running.
  ///
  /// - Throws: `PrivateServerError` where it does not stop within a minute.
  package func down() throws(PrivateServerError) {
    guard let (folder, lock) = try ServerFolder.lockExisting(at: directory) else { return }
    defer { lock.release() }
    try ServerStop(folder: folder).run(mode: "fast")
  }

  /// What there is in the folder now; waits while an `up` or `down` is at work on it.
  ///
  /// - Throws: `PrivateServerError` where the folder belongs to another user.
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

  /// Stops the server at once and removes its files; the folder goes too if nothing else is in it.
  ///
  /// - Throws: `PrivateServerError` where it does not stop or a file cannot be removed.
  package func destroy() throws(PrivateServerError) {
    guard let (folder, lock) = try ServerFolder.lockExisting(at: directory) else { return }
    defer { lock.release() }
    try ServerStop(folder: folder).run(mode: "immediate")
    try folder.remove()
  }

  /// Where a program of the installed PostgreSQL is, such as `psql`; nil where it is not.
  package static func program(named name: String) -> String? { Installation.clientProgram(name) }
}
