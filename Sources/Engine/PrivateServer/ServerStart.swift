import Foundation

/// Starts the server for a caller that holds `up.lock` and `server.lock`.
struct ServerStart {
  let folder: ServerFolder
  let settings: ServerSettings

  func run(handingOver lock: FileLock) throws(PrivateServerError) -> PrivateServer.Running {
    let installation = try Installation.find(version: folder.version)
    let account = try ServerAccount(data: folder.data)
    let text = try settings.text(
      sockets: folder.sockets.path.hasPrefix(folder.path + "/") && account.isAnother
        ? account.nameOfFolder + "/socket" : folder.sockets.path)
    if !folder.hasData { try makeData(installation, account, lock) }

    // The caller has `server.lock`, so no process of this server is running. A manually started
    // server does not acquire `server.lock`. The files of a manually started server are not
    // removed, and pg_ctl reports that the server is running.
    if try PostmasterFile(data: folder.data)?.isAlive != true {
      try removeIfPresent(PostmasterFile.path(data: folder.data))
      try folder.sockets.prepare(for: account)
    }
    try write(text, to: folder.data + "/" + ServerSettings.fileName, for: account)
    try LoggedProgram(folder: folder, account: account).run(
      installation.pgCtl,
      ["start", "-D", "\(account.nameOfFolder)/data", "--wait", "--timeout", "300"], lock: lock)
    guard let running = try folder.running() else { throw folder.neitherRunningNorGone }
    return running
  }

  /// Creates the cluster under a temporary name, and renames the complete cluster.
  ///
  /// initdb inherits the caller's lock. If the caller is killed, initdb continues. If initdb is
  /// still running, the next `up` waits for it, and does not remove initdb's folder.
  private func makeData(
    _ installation: Installation, _ account: ServerAccount, _ lock: FileLock
  ) throws(PrivateServerError) {
    try removeIfPresent(folder.unfinishedData)
    guard mkdir(folder.unfinishedData, 0o700) == 0 else {
      throw .system("Cannot make the data folder", folder.unfinishedData)
    }
    try account.own(folder.unfinishedData)
    try LoggedProgram(folder: folder, account: account).run(
      installation.initdb,
      [
        "-D", "\(account.nameOfFolder)/data.new", "--username=postgres", "--encoding=UTF8",
        "--locale=C", "--auth-local=trust", "--auth-host=scram-sha-256", "--no-instructions",
      ] + (settings.isDurable ? ["--data-checksums"] : ["--no-sync"]), lock: lock)
    try include(ServerSettings.fileName, in: folder.unfinishedData + "/postgresql.conf")
    guard rename(folder.unfinishedData, folder.data) == 0 else {
      throw .system("Cannot rename the finished data folder", folder.unfinishedData)
    }
  }

  private func include(_ name: String, in file: String) throws(PrivateServerError) {
    let descriptor = try openFile(file, O_WRONLY | O_APPEND, mode: 0)
    defer { close(descriptor) }
    try write("\ninclude_if_exists = '\(name)'\n", descriptor, file)
  }

  /// Writes a file under a temporary name, and then renames it.
  ///
  /// A crash cannot leave a file with half of the settings.
  private func write(
    _ text: String, to file: String, for account: ServerAccount
  ) throws(PrivateServerError) {
    let unfinished = file + ".new"
    let descriptor = try openFile(unfinished, O_WRONLY | O_CREAT | O_TRUNC, mode: 0o600)
    defer { close(descriptor) }
    try write(text, descriptor, unfinished)
    try account.own(unfinished)
    guard rename(unfinished, file) == 0 else { throw .system("Cannot write the settings", file) }
  }

  private func write(
    _ text: String, _ descriptor: Int32, _ file: String
  ) throws(PrivateServerError) {
    let bytes = Array(text.utf8)
    guard Foundation.write(descriptor, bytes, bytes.count) == bytes.count else {
      throw .system("Cannot write a file", file)
    }
  }
}
