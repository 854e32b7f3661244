import Postgres

/// The open connection of a hub, and what an error on it means.
struct HubConnection: Sendable {
  let session: Session
  /// Whether a look on it has ended.
  let isProven: Bool

  /// Whether the same statement may succeed later, without anybody doing anything.
  ///
  /// An error concerns what the statement was about, not the server: one topic that cannot be read must not end
  /// the streams of the others.
  ///
  /// - Throws: where the connection is lost, or another one may be what helps: it has to be opened again.
  func isPassing(_ error: any Error) async throws(PostgresError) -> Bool {
    let found = error as? PostgresError
    guard await !session.connection.isBroken else {
      throw found ?? PostgresError(.connectionFailure, "the connection was lost")
    }
    guard let found else { return false }
    // A new connection that says the same is believed: else it would be opened for ever.
    if isProven, found.sqlState.mayBeOfConnection { throw found }
    return found.sqlState.isTransient
  }
}

extension SQLState {
  /// Whether it may be the connection: what it has prepared has another result by now or is gone, or its server may
  /// only read since another one has taken over.
  fileprivate var mayBeOfConnection: Bool { ["0A000", "26000", "25006"].contains(code) }
}
