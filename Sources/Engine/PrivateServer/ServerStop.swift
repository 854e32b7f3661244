/// One stop of the server, by a caller that holds `up.lock`.
struct ServerStop {
  let folder: ServerFolder

  /// Stops the server; does nothing if it is not running.
  ///
  /// - Parameter mode: `fast` (rollback and checkpoint) or `immediate` (like a crash).
  /// - Throws: `PrivateServerError` if some of its processes do not end.
  func run(mode: String) throws(PrivateServerError) {
    guard try !isGone() else { return }
    // Without a postmaster there is no process that could pass on a signal. The backends of a killed postmaster, and an
    // initdb whose caller was killed, end by themselves.
    if let postmaster = try PostmasterFile(data: folder.data), postmaster.isAlive {
      try signal(mode: mode)
    }
    // The pid file is removed a moment before the last process ends.
    var patience = Patience(seconds: 10)
    repeat {
      if try isGone() { return }
    } while patience.wait()
    throw folder.neitherRunningNorGone
  }

  private func signal(mode: String) throws(PrivateServerError) {
    let installation = try Installation.find(version: folder.version)
    let account = try ServerAccount(data: folder.data)
    try LoggedProgram(folder: folder, account: account).run(
      installation.pgCtl,
      [
        "stop", "-D", "\(account.nameOfFolder)/data", "--mode", mode, "--wait", "--timeout", "60",
      ])
  }

  private func isGone() throws(PrivateServerError) -> Bool {
    guard let lock = try FileLock.attempt(folder.serverLock) else { return false }
    lock.release()
    return true
  }
}
