import Foundation

/// The paths in a server's folder.
struct ServerFolder: Sendable {
  /// The absolute path without symbolic links, from which the socket folder's name is computed.
  let path: String

  var data: String { path + "/data" }
  /// The folder in which initdb creates the data.
  ///
  /// Only a complete cluster is renamed to `data`. If initdb is killed, no incomplete `data` folder
  /// remains.
  var unfinishedData: String { path + "/data.new" }
  var log: String { path + "/postgres.log" }
  var upLock: String { path + "/up.lock" }
  var serverLock: String { path + "/server.lock" }
  var sockets: SocketFolder { SocketFolder(server: path) }

  var hasData: Bool { access(data, F_OK) == 0 }

  /// The major version of PostgreSQL that created the data, or nil if the folder contains no data.
  var version: String? {
    (try? String(contentsOfFile: data + "/PG_VERSION", encoding: .utf8))?
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Finds the folder and acquires its `up.lock`, or returns nil if `up` has never run in this
  /// folder.
  static func lockExisting(
    at directory: String
  ) throws(PrivateServerError) -> (ServerFolder, FileLock)? {
    let named = ServerFolder(path: directory)
    guard access(named.serverLock, F_OK) == 0 else {
      guard errno == ENOENT || errno == ENOTDIR else {
        throw .system("Cannot look into the server's folder", directory)
      }
      return nil
    }
    guard let folder = try named.resolved(),
      let lock = try FileLock.wait(folder.upLock, create: false)
    else { return nil }
    return (folder, lock)
  }

  /// Creates the folder and acquires its `up.lock`.
  static func createAndLock(
    at directory: String
  ) throws(PrivateServerError) -> (ServerFolder, FileLock) {
    // Another process can run `destroy` and remove the folder immediately after the folder is
    // created, so the creation is retried.
    while true {
      do {
        try FileManager.default.createDirectory(
          atPath: directory, withIntermediateDirectories: true)
      } catch {
        throw PrivateServerError(
          "Cannot make the server's folder: \(error.localizedDescription)", where: directory,
          next: "Name a folder that you may write to.")
      }
      if let folder = try ServerFolder(path: directory).resolved(),
        let lock = try FileLock.wait(folder.upLock, create: true)
      {
        return (folder, lock)
      }
    }
  }

  /// Returns this folder with symbolic links resolved, or nil if the folder does not exist.
  private func resolved() throws(PrivateServerError) -> ServerFolder? {
    guard let resolved = realpath(path, nil) else {
      guard errno == ENOENT else { throw .system("Cannot find the server's folder", path) }
      return nil
    }
    defer { free(resolved) }
    return ServerFolder(path: String(cString: resolved))
  }

  /// Removes the server's files, and the folder if it contains nothing else.
  func remove() throws(PrivateServerError) {
    for item in [data, unfinishedData, sockets.path, log, serverLock, upLock] {
      try removeIfPresent(item)
    }
    rmdir(path)
  }

  /// Returns the server if `postmaster.pid` reports that the server accepts connections.
  func running() throws(PrivateServerError) -> PrivateServer.Running? {
    guard let postmaster = try PostmasterFile(data: data), postmaster.isReady, postmaster.isAlive
    else { return nil }
    return PrivateServer.Running(
      processID: postmaster.processID,
      connectionString: sockets.connectionString(port: postmaster.port),
      version: version ?? "unknown", logFile: log)
  }

  var neitherRunningNorGone: PrivateServerError {
    PrivateServerError(
      "Processes of the server are still there, but it accepts no connections.",
      where: "\(path) (log: \(log))",
      next: "End the processes that `fuser -v \(serverLock)` names, then try again.")
  }
}

/// Removes a file, or a folder with its contents, unless the path does not exist.
func removeIfPresent(_ path: String) throws(PrivateServerError) {
  var information = stat()
  guard lstat(path, &information) == 0 else { return }
  do {
    try FileManager.default.removeItem(atPath: path)
  } catch {
    throw PrivateServerError(
      "Cannot remove a file of the server: \(error.localizedDescription)", where: path,
      next: "Remove it by hand as the user who owns it.")
  }
}
