/// One stop of the server, by a caller that holds `up.lock`.
struct ServerStop {
  let folder: ServerFolder

  /// Stops what runs; does nothing where nothing does.
  ///
  /// - Parameter mode: `fast` (roll back, checkpoint) or `immediate` (as a crash).
  /// - Throws: `PrivateServerError` where processes of it stay.
  func run(mode: String) throws(PrivateServerError) {
    guard try !isGone() else { return }
    // Backends that a killed postmaster left, and an initdb whose caller was killed, have nobody to
    // pass a signal on; they end by themselves.
    if let postmaster = try PostmasterFile(data: folder.data), postmaster.isAlive {
      try signal(mode: mode)
    }
    // The pid file goes a moment before the last process does.
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
