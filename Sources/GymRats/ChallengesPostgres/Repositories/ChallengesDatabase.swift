public import BatonLive
public import BatonPostgres
public import Challenges
package import ProductPostgres

/// A database for the repositories of any number of actors.
///
/// Calls share one connection or a fixed number of connections, as described in `SharedSession`. If
/// the connection is lost during a call, the caller receives `networkUnavailable` and decides
/// whether to repeat it. All open streams share one connection that is not used for calls.
public final class ChallengesDatabase: Sendable {
  private let database: ActorDatabase
  /// The channel for observing boards.
  let boards: LiveChannel<BoardFeed>
  /// The board and badge streams for HTTP API clients.
  let streams: ChallengeStreams

  /// Creates a database without connecting to it.
  ///
  /// - Parameters:
  ///   - connections: The number of connections for calls, at least 1.
  ///   - live: The interval at which streams poll for changes, and other stream options.
  ///   - streams: The connection settings for streams. The login for streams must have the right to
  ///     observe boards on behalf of all users. If the login for calls does not have this right,
  ///     pass settings with a different login.
  ///   - identity: A function that returns the identity for an actor's calls. If `identity` is nil,
  ///     all calls use the login itself, which must be allowed to act on behalf of all users.
  public init(
    _ configuration: ConnectionConfiguration, schema: Schema, connections: Int = 1,
    live: LiveOptions = LiveOptions(),
    streams: ConnectionConfiguration? = nil,
    identity: (@Sendable (_ actor: String) -> Identity)? = nil
  ) {
    database = ActorDatabase(
      configuration, schema: schema, connections: connections, live: live, streams: streams,
      identity: identity)
    boards = database.hub.channel(for: BoardFeed())
    self.streams = ChallengeStreams(of: database.hub)
  }

  /// Creates a database that uses the given connections.
  package init(_ database: ActorDatabase) {
    self.database = database
    boards = database.hub.channel(for: BoardFeed())
    streams = ChallengeStreams(of: database.hub)
  }

  /// Executes a call in a separate transaction, for an actor or for the server itself.
  ///
  /// - Throws: `DomainError` if the call was rejected or if the connection was lost during the
  ///   call. `PostgresError` for a failure caused by a fault in the program or the data.
  package func run<Output: Sendable>(
    _ call: Call<Output>, for actor: String?
  ) async throws -> Output {
    do {
      return try await execute(call, for: actor)
    } catch let error as PostgresError {
      throw DomainError(error) ?? error
    }
  }

  /// Executes a call in a separate transaction, like ``run(_:for:)``, without converting errors.
  ///
  /// - Throws: `PostgresError`.
  func execute<Output: Sendable>(_ call: Call<Output>, for actor: String?) async throws -> Output {
    try await database.run(call, for: actor)
  }

  /// Closes the connections for calls, and the connection for streams if no streams are open.
  ///
  /// A later call or stream opens a new connection.
  public func close() async { await database.close() }
}

extension ChallengesDatabase: ActorCalling {}

extension ChallengesDatabase {
  /// Returns one actor's repositories.
  ///
  /// The caller must have verified the actor's identity.
  ///
  /// If `actor` is nil, the method returns the repositories of a user who is not signed in.
  public func repositories(for actor: String?) -> ActorRepositories {
    let calls = ActorCalls(database: self, actor: actor)
    return ActorRepositories(
      users: PostgresUsers(calls: calls), groups: PostgresGroups(calls: calls),
      invites: PostgresInvites(calls: calls), workouts: PostgresWorkouts(calls: calls),
      leaderboards: PostgresBoards(calls: calls),
      notifications: PostgresInbox(calls: calls), analytics: PostgresAnalytics(calls: calls),
      safety: PostgresSafety(calls: calls))
  }

  /// The repository for the calls that only the server can make.
  public var server: any ServerRepository { PostgresServer(database: self) }
}

/// The calls of one actor.
struct ActorCalls: Sendable {
  let database: ChallengesDatabase
  private let actor: String?

  init(database: ChallengesDatabase, actor: String?) {
    self.database = database
    self.actor = actor
  }

  /// Returns the actor's id.
  ///
  /// - Throws: `notAuthenticated` if no actor is signed in or if `userId` is the id of another
  ///   user.
  func signedIn(as userId: String? = nil) throws(DomainError) -> String {
    guard let actor else { throw .notAuthenticated }
    if let userId, !userId.hasSameBytes(as: actor) { throw .notAuthenticated }
    return actor
  }

  func run<Output: Sendable>(_ call: Call<Output>) async throws -> Output {
    try await database.run(call, for: actor)
  }
}
