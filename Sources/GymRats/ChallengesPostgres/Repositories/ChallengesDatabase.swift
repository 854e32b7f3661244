public import BatonLive
public import BatonPostgres
public import Challenges
import ProductPostgres

/// The database that the repositories of any number of actors use.
///
/// Calls share one connection, as `SharedSession` describes: a caller whose call was lost gets `networkUnavailable`
/// and decides whether to repeat it. All streams together use one more connection, while there are any.
public final class ChallengesDatabase: Sendable {
  private let database: ActorDatabase
  /// Where boards are observed.
  let boards: LiveChannel<BoardFeed>

  /// A database, not connected yet.
  ///
  /// - Parameters:
  ///   - live: how often streams poll for changes.
  ///   - streams: how streams connect, if the login that makes calls may not observe boards for all users.
  ///   - identity: the identity with which an actor's calls are made; nil: the login itself, which may act for all
  ///     users.
  public init(
    _ configuration: ConnectionConfiguration, schema: Schema, live: LiveOptions = LiveOptions(),
    streams: ConnectionConfiguration? = nil,
    identity: (@Sendable (_ actor: String) -> Identity)? = nil
  ) {
    database = ActorDatabase(
      configuration, schema: schema, live: live, streams: streams, identity: identity)
    boards = database.hub.channel(for: BoardFeed())
  }

  /// Makes a call in a transaction of its own, for an actor or for the server itself.
  ///
  /// - Throws: `DomainError` where the call was refused or did not arrive; `PostgresError` for anything else,
  ///   which is a mistake of the program or of the data.
  func run<Output: Sendable>(_ call: Call<Output>, for actor: String?) async throws -> Output {
    do {
      return try await database.run(call, for: actor)
    } catch let error as PostgresError {
      throw DomainError(error) ?? error
    }
  }

  /// Closes the connection, and that of streams if no stream is open; a later call or stream opens another.
  public func close() async { await database.close() }
}

extension ChallengesDatabase {
  /// The repositories of one actor, whom the caller has verified; nil: of a user who is not signed in.
  public func repositories(for actor: String?) -> ActorRepositories {
    let calls = ActorCalls(database: self, actor: actor)
    return ActorRepositories(
      users: PostgresUsers(calls: calls), groups: PostgresGroups(calls: calls),
      invites: PostgresInvites(calls: calls), workouts: PostgresWorkouts(calls: calls),
      leaderboards: PostgresBoards(calls: calls),
      notifications: PostgresInbox(calls: calls), analytics: PostgresAnalytics(calls: calls))
  }

  /// What the server itself may do.
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

  /// The actor, who may act only for themselves.
  func signedIn(as userId: String? = nil) throws(DomainError) -> String {
    guard let actor else { throw .notAuthenticated }
    if let userId, !userId.hasSameBytes(as: actor) { throw .notAuthenticated }
    return actor
  }

  func run<Output: Sendable>(_ call: Call<Output>) async throws -> Output {
    try await database.run(call, for: actor)
  }
}
