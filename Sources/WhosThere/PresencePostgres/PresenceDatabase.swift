public import BatonLive
public import BatonPostgres
public import Presence
import ProductPostgres

/// The database that the repositories of any number of actors use.
///
/// Calls share one connection, as `SharedSession` describes: a caller whose call was lost gets `networkUnavailable`
/// and decides whether to repeat it. All streams together use one more connection, while there are any.
public final class PresenceDatabase: Sendable {
  private let database: ActorDatabase
  /// Where it is observed who is at a place.
  let places: LiveChannel<PlaceFeed>
  /// Where messages are observed.
  let chats: LiveChannel<ChatFeed>

  /// A database, not connected yet.
  ///
  /// - Parameters:
  ///   - live: how often streams poll for changes.
  ///   - streams: how streams connect, if the login that makes calls may not observe for all users.
  ///   - identity: the identity with which an actor's calls are made; nil: the login itself, which may act for all
  ///     users.
  public init(
    _ configuration: ConnectionConfiguration, schema: Schema, live: LiveOptions = LiveOptions(),
    streams: ConnectionConfiguration? = nil,
    identity: (@Sendable (_ actor: String) -> Identity)? = nil
  ) {
    database = ActorDatabase(
      configuration, schema: schema, live: live, streams: streams, identity: identity)
    places = database.hub.channel(for: PlaceFeed())
    chats = database.hub.channel(for: ChatFeed())
  }

  /// What the server itself may do: sign in whom it has verified.
  public var accounts: PresenceAccounts { PresenceAccounts(database: self) }

  /// The account of one actor, whom the caller has verified; nil: of a user who is not signed in.
  public func users(for actor: String?) -> any UserRepository {
    PostgresUsers(calls: ActorCalls(database: self, actor: actor))
  }

  /// The groups of one actor.
  public func groups(for actor: String?) -> any GroupRepository {
    PostgresGroups(calls: ActorCalls(database: self, actor: actor))
  }

  /// What one actor has done and achieved.
  public func achievements(for actor: String?) -> any AchievementRepository {
    PostgresAchievements(calls: ActorCalls(database: self, actor: actor))
  }

  /// What the watch of one actor shows.
  public func watch(for actor: String?) -> any WatchRepository {
    PostgresWatch(calls: ActorCalls(database: self, actor: actor))
  }

  /// What one actor writes and reads.
  public func chat(for actor: String?) -> PostgresChat {
    PostgresChat(calls: ActorCalls(database: self, actor: actor))
  }

  /// Who is where, for one actor.
  public func presences(for actor: String?) -> PostgresPresences {
    PostgresPresences(calls: ActorCalls(database: self, actor: actor))
  }

  /// Closes the connection, and that of streams if no stream is open; a later call or stream opens another.
  public func close() async { await database.close() }

  /// Makes a call in a transaction of its own, for an actor or for the server itself.
  func run<Output: Sendable>(
    _ call: Call<Output>, for actor: String? = nil
  ) async throws(AppError) -> Output {
    do {
      return try await database.run(call, for: actor)
    } catch {
      throw AppError(ofDatabase: error)
    }
  }
}

/// The calls of one actor.
struct ActorCalls: Sendable {
  let database: PresenceDatabase
  private let actor: String?

  init(database: PresenceDatabase, actor: String?) {
    self.database = database
    self.actor = actor
  }

  /// The actor, who has to be signed in.
  var signedIn: String {
    get throws(AppError) {
      guard let actor else { throw .notAuthenticated }
      return actor
    }
  }

  func run<Output: Sendable>(_ call: Call<Output>) async throws(AppError) -> Output {
    try await database.run(call, for: actor)
  }
}
