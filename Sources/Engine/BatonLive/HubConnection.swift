import BatonPostgres

/// The open connection of a hub.
///
/// The type also classifies connection errors.
struct HubConnection: Sendable {
  let session: Session
  /// Whether a poll on the connection has succeeded.
  let isProven: Bool

  /// Returns whether the error is temporary, so that the failed statement may succeed later.
  ///
  /// If one topic cannot be read on an intact connection, the streams of other topics must
  /// continue.
  ///
  /// - Throws: the given error if the connection is lost or if a new connection may help. If the
  ///   method throws, the hub opens a new connection.
  func isPassing(_ error: any Error) async throws(PostgresError) -> Bool {
    let found = error as? PostgresError
    guard !session.connection.isBroken else {
      throw found ?? PostgresError(.connectionFailure, "the connection was lost")
    }
    guard let found else { return false }
    // Without the `isProven` check, an error in the first poll of each connection would cause
    // endless reconnects.
    if isProven, found.sqlState.mayBeOfConnection { throw found }
    return found.sqlState.isTransient
  }
}

extension Error {
  /// Whether the error means that the server or the hub cancelled a call that took too long.
  var isTimeout: Bool {
    self is CancellationError || (self as? PostgresError)?.sqlState == .queryCanceled
  }
}

extension SQLState {
  /// Whether the connection may have caused the error.
  ///
  /// For example, the error reports a missing prepared statement, a changed result type, or a
  /// read-only server after a failover.
  fileprivate var mayBeOfConnection: Bool { ["0A000", "26000", "25006"].contains(code) }
}
