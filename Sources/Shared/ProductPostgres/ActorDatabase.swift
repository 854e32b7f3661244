package import BatonLive
package import BatonPostgres

/// Connections for the calls of any number of actors, and a hub for their streams.
///
/// If a connection is lost during a call, it fails, as described in `SharedSession`. All streams
/// share one additional connection, which is open only while at least one stream is open.
package final class ActorDatabase: Sendable {
  private let calls: SessionPool
  private let identity: (@Sendable (_ actor: String) -> Identity)?
  private let failed: (@Sendable (PostgresError) -> Void)?
  /// The stream hub.
  package let hub: LiveHub

  /// Creates a database without connecting to it.
  ///
  /// - Parameters:
  ///   - connections: the number of connections for calls.
  ///   - live: the stream options, such as the polling interval.
  ///   - streams: the login for streams, or nil to use the same login as for calls.
  ///   - identity: a function that returns the identity for an actor's calls. If `identity` is nil,
  ///     all calls use the login itself, which must be allowed to act on behalf of every actor.
  ///   - failed: a function that is called with each failed call's error.
  ///   - streamsFailed: a function that is called with a feed's name and the error that ended its
  ///     streams.
  package init(
    _ configuration: ConnectionConfiguration, schema: Schema, connections: Int,
    live: LiveOptions = LiveOptions(), streams: ConnectionConfiguration? = nil,
    identity: (@Sendable (_ actor: String) -> Identity)? = nil,
    failed: (@Sendable (PostgresError) -> Void)? = nil,
    streamsFailed: (@Sendable (_ feed: String, _ error: any Error) -> Void)? = nil
  ) {
    var live = live
    if let streamsFailed { live.onFailure = streamsFailed }
    calls = SessionPool(configuration, in: schema, connections: connections)
    (self.identity, self.failed) = (identity, failed)
    hub = LiveHub(streams ?? configuration, in: schema, options: live)
  }

  /// Runs a call in a separate transaction.
  ///
  /// - Parameter actor: the actor of the call, or nil for the server itself.
  /// - Throws: `PostgresError`, or any error that `identity` throws.
  package func run<Output: Sendable>(
    _ call: Call<Output>, for actor: String?
  ) async throws -> Output {
    do {
      return try await calls.atomically(call, as: actor.flatMap { actor in identity?(actor) })
    } catch {
      if let error = error as? PostgresError { failed?(error) }
      throw error
    }
  }

  /// Closes all connections.
  ///
  /// A later call or stream opens a new connection.
  package func close() async {
    hub.close()
    await calls.close()
  }
}
