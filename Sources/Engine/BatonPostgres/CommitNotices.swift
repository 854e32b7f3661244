import CLibPQ

/// Detects the warning that a commit did not wait for its synchronous standby.
///
/// If the wait for a synchronous standby is cancelled, the server responds to COMMIT with success
/// and a warning. If a commit did not wait for its synchronous standby, a failover may undo the
/// transaction, which may be stored only on this server. A client that ignores the warning would
/// report success for a write that is later lost. If a standby is lost, an operator may cancel a
/// commit's wait with `pg_cancel_backend`.
final class CommitNotices {
  private var isUnreplicated = false

  /// Makes libpq report a connection's notices to this object instead of printing them.
  func receive(from connection: OpaquePointer) {
    PQsetNoticeReceiver(
      connection,
      { context, result in
        guard let context, let result else { return }
        Unmanaged<CommitNotices>.fromOpaque(context).takeUnretainedValue().hear(result)
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Returns whether a commit since the last call did not wait for its synchronous standby.
  func takeUnreplicated() -> Bool {
    defer { isUnreplicated = false }
    return isUnreplicated
  }

  /// The server may translate the warning's text, and the warning's SQLSTATE is the general code
  /// 01000.
  ///
  /// The warning is identified only by the name of the server's function that sends the warning.
  private func hear(_ result: OpaquePointer) {
    guard let function = PQresultErrorField(result, Int32(UInt8(ascii: "R"))) else { return }
    if String(cString: function) == "SyncRepWaitForLSN" { isUnreplicated = true }
  }
}
