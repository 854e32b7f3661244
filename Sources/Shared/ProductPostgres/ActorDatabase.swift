package import BatonLive
package import BatonPostgres

/// One connection for the calls of any number of actors, and a hub for their streams.
///
/// `SharedSession` describes the connection: if the connection is lost during a call, the call fails. Streams share one
/// more connection, which is open only while there are streams.
package final class ActorDatabase: Sendable {
  private let calls: SharedSession
  private let identity: (@Sendable (_ actor: String) -> Identity)?
  /// The hub of the streams.
  package let hub: LiveHub

  /// A database, not connected yet.
  ///
  /// - Parameters:
  ///   - live: how often streams poll.
  ///   - streams: the login for streams; nil: that of the calls.
  ///   - identity: the identity of an actor's calls; nil: the login, which may act for every actor.
  package init(
    _ configuration: ConnectionConfiguration, schema: Schema, live: LiveOptions,
    streams: ConnectionConfiguration?, identity: (@Sendable (_ actor: String) -> Identity)?
  ) {
    calls = SharedSession(configuration, in: schema)
    self.identity = identity
    hub = LiveHub(streams ?? configuration, in: schema, options: live)
  }

  /// Makes a call in its own transaction, for an actor or, if nil, for the server itself.
  ///
  /// - Throws: `PostgresError`, and the errors of `identity`.
  package func run<Output: Sendable>(
    _ call: Call<Output>, for actor: String?
  ) async throws -> Output {
    try await calls.atomically(call, as: actor.flatMap { actor in identity?(actor) })
  }

  /// Closes both connections; a later call or stream opens another one.
  package func close() async {
    hub.close()
    await calls.close()
  }
}
