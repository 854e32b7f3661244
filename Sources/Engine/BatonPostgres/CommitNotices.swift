import CLibPQ

/// The one notice of the server that changes the result of a COMMIT.
///
/// If the wait for a synchronous standby is cancelled, the server answers COMMIT with success and a
/// warning. The transaction is on the disk of this server only, so a failover may undo the
/// transaction. A client that ignores the warning would report a write that is later lost. Not only
/// this client can cancel the wait: operators call `pg_cancel_backend` if a standby is gone.
final class CommitNotices {
  private var isUnreplicated = false

  /// Makes libpq report the notices of a connection to this object instead of printing them.
  func receive(from connection: OpaquePointer) {
    PQsetNoticeReceiver(
      connection,
      { context, result in
        guard let context, let result else { return }
        Unmanaged<CommitNotices>.fromOpaque(context).takeUnretainedValue().hear(result)
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Whether a commit did not wait for its standby since the last call.
  func takeUnreplicated() -> Bool {
    defer { isUnreplicated = false }
    return isUnreplicated
  }

  /// The text of the warning is translated and its SQLSTATE is 01000, so only the name of the
  /// server's function identifies it.
  private func hear(_ result: OpaquePointer) {
    guard let function = PQresultErrorField(result, Int32(UInt8(ascii: "R"))) else { return }
    if String(cString: function) == "SyncRepWaitForLSN" { isUnreplicated = true }
  }
}
