import BatonPostgres
import RunnerSQL
import Synchronization

/// A fixed number of connections shared by any number of actors.
///
/// Each call uses the connection with the fewest unfinished calls. Connections are opened when they
/// are first used.
final class SessionPool: Sendable {
  private let sessions: [SharedSession]
  /// The number of unfinished calls on each connection.
  private let unfinished: Mutex<[Int]>

  init(_ configuration: ConnectionConfiguration, in schema: Schema, connections: Int) {
    sessions = (0..<connections).map { _ in SharedSession(configuration, in: schema) }
    unfinished = Mutex(Array(repeating: 0, count: connections))
  }

  /// Executes a call in a separate transaction, with the trace context of the current task.
  ///
  /// - Throws: `PostgresError`.
  func atomically<Output: Sendable>(
    _ call: Call<Output>, as identity: Identity?
  ) async throws -> Output {
    let place = unfinished.withLock { unfinished in
      var place = 0
      for other in unfinished.indices where unfinished[other] < unfinished[place] { place = other }
      unfinished[place] += 1
      return place
    }
    defer { unfinished.withLock { $0[place] -= 1 } }
    if let traceparent = CallTrace.traceparent {
      return try await sessions[place].atomically(
        .run(SQL.Work.setTraceparent, traceparent), call, as: identity)
    }
    return try await sessions[place].atomically(call, as: identity)
  }

  /// Closes all connections.
  func close() async { for session in sessions { await session.close() } }
}
