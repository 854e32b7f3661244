public import BatonLive
public import BatonPostgres
public import Challenges
import ProductPostgres

/// The database that the repositories of any number of actors use.
///
/// All calls share one connection, as `SharedSession` describes. If a call is lost, its caller
/// receives `networkUnavailable` and decides whether to repeat the call. While streams are open,
/// all streams together use a second connection.
public final class ChallengesDatabase: Sendable {
  private let database: ActorDatabase
  /// The channel on which boards are observed.
  let boards: LiveChannel<BoardFeed>

  /// Creates a database without connecting to it.
  ///
  /// - Parameters:
  ///   - live: The interval at which streams poll for changes, and other options of streams.
  ///   - streams: The connection settings of streams, if the login for calls may not observe boards
  ///     for all users.
  ///   - identity: The identity with which an actor's calls are made. If `identity` is nil, the
  ///   calls use the login itself, which may act for all users.
  public init(
    _ configuration: ConnectionConfiguration, schema: Schema, live: LiveOptions = LiveOptions(),
    streams: ConnectionConfiguration? = nil,
    identity: (@Sendable (_ actor: String) -> Identity)? = nil
  ) {
    database = ActorDatabase(
      configuration, schema: schema, live: live, streams: streams, identity: identity)
    boards = database.hub.channel(for: BoardFeed())
  }

  /// Executes a call in its own transaction, for an actor or for the server itself.
  ///
  /// - Throws: `DomainError` if the call was refused or lost. `PostgresError` for any other
  ///   failure, which is a mistake of the program or of the data.
  func run<Output: Sendable>(_ call: Call<Output>, for actor: String?) async throws -> Output {
    do {
      return try await database.run(call, for: actor)
    } catch let error as PostgresError {
      throw DomainError(error) ?? error
    }
  }

  /// Closes the connection of calls and, if no stream is open, the connection of streams.
  ///
  /// A later call or stream opens a new connection.
  public func close() async { await database.close() }
}

extension ChallengesDatabase {
  /// Returns the repositories of one actor whose identity the caller has verified.
  ///
  /// If the actor is nil, the repositories are those of a user who is not signed in.
  public func repositories(for actor: String?) -> ActorRepositories {
    let calls = ActorCalls(database: self, actor: actor)
    return ActorRepositories(
      users: PostgresUsers(calls: calls), groups: PostgresGroups(calls: calls),
      invites: PostgresInvites(calls: calls), workouts: PostgresWorkouts(calls: calls),
      leaderboards: PostgresBoards(calls: calls),
      notifications: PostgresInbox(calls: calls), analytics: PostgresAnalytics(calls: calls))
  }

  /// The repository with the calls that are reserved for the server.
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
