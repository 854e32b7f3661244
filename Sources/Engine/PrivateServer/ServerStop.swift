/// Stops the server for a caller that holds `up.lock`.
struct ServerStop {
  let folder: ServerFolder

  /// Stops the server, or does nothing if the server is not running.
  ///
  /// - Parameter mode: `fast` to roll back transactions and write a checkpoint, or `immediate` to
  ///   stop as in a crash.
  /// - Throws: `PrivateServerError` if some of the server's processes do not end.
  func run(mode: String) throws(PrivateServerError) {
    guard try !isGone() else { return }
    // If the postmaster is not running, no signal is sent. The backends of a killed postmaster end
    // by themselves. An initdb whose caller was killed also ends by itself.
    if let postmaster = try PostmasterFile(data: folder.data), postmaster.isAlive {
      try signal(mode: mode)
    }
    // The server removes its pid file shortly before its last process ends.
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
