public import BatonLive
public import BatonPostgres
public import Presence
package import ProductPostgres

/// A database for the repositories of any number of actors.
///
/// Calls share one connection or a fixed number of connections, as described in `SharedSession`. If
/// the response to a call is lost, the caller receives `networkUnavailable` and decides whether to
/// repeat it. All open streams share one additional connection.
public final class PresenceDatabase: Sendable {
  private let database: ActorDatabase
  /// The channel for observing presences.
  let places: LiveChannel<PlaceFeed>
  /// The channel for observing messages.
  let chats: LiveChannel<ChatFeed>
  /// The presence and message streams for HTTP API clients.
  let streams: PresenceStreams

  /// Creates a database without connecting to it.
  ///
  /// - Parameters:
  ///   - connections: The number of connections for calls, at least 1.
  ///   - live: The interval at which streams poll for changes, and other stream options.
  ///   - streams: The connection settings for streams, or nil to use `configuration`. The login for
  ///     streams must be allowed to observe groups on behalf of all users.
  ///   - identity: A function that returns the identity for an actor's calls. If `identity` is nil,
  ///     all calls use the login of `configuration`, which must be allowed to act on behalf of all
  ///     users.
  public init(
    _ configuration: ConnectionConfiguration, schema: Schema, connections: Int = 1,
    live: LiveOptions = LiveOptions(),
    streams: ConnectionConfiguration? = nil,
    identity: (@Sendable (_ actor: String) -> Identity)? = nil
  ) {
    database = ActorDatabase(
      configuration, schema: schema, connections: connections, live: live, streams: streams,
      identity: identity)
    places = database.hub.channel(for: PlaceFeed())
    chats = database.hub.channel(for: ChatFeed())
    self.streams = PresenceStreams(of: database.hub)
  }

  /// Creates a database that uses the given connections.
  package init(_ database: ActorDatabase) {
    self.database = database
    places = database.hub.channel(for: PlaceFeed())
    chats = database.hub.channel(for: ChatFeed())
    streams = PresenceStreams(of: database.hub)
  }

  /// The calls that only the server can make, such as signing in a user whom the server has
  /// verified.
  public var accounts: PresenceAccounts { PresenceAccounts(database: self) }

  /// Returns one actor's account repository.
  ///
  /// The caller must have verified the actor's identity.
  ///
  /// If `actor` is nil, the method returns the repository of a user who is not signed in.
  public func users(for actor: String?) -> any UserRepository {
    PostgresUsers(calls: ActorCalls(database: self, actor: actor))
  }

  /// Returns one actor's group repository.
  public func groups(for actor: String?) -> any GroupRepository {
    PostgresGroups(calls: ActorCalls(database: self, actor: actor))
  }

  /// Returns the repository for one actor's statistics and achievements.
  public func achievements(for actor: String?) -> any AchievementRepository {
    PostgresAchievements(calls: ActorCalls(database: self, actor: actor))
  }

  /// Returns the repository for the data that one actor's smartwatch shows.
  public func watch(for actor: String?) -> any WatchRepository {
    PostgresWatch(calls: ActorCalls(database: self, actor: actor))
  }

  /// Returns the repository for one actor's blocks and reports.
  public func safety(for actor: String?) -> any SafetyRepository {
    PostgresSafety(calls: ActorCalls(database: self, actor: actor))
  }

  /// Returns the repository for the messages that one actor may read and send.
  public func chat(for actor: String?) -> PostgresChat {
    PostgresChat(calls: ActorCalls(database: self, actor: actor))
  }

  /// Returns the repository for the presences that one actor may read and change.
  public func presences(for actor: String?) -> PostgresPresences {
    PostgresPresences(calls: ActorCalls(database: self, actor: actor))
  }

  /// Closes the connections for calls, and the connection for streams if no streams are open.
  ///
  /// A later call or stream opens a new connection.
  public func close() async { await database.close() }

  /// Executes a call in a separate transaction, for an actor or for the server itself.
  package func run<Output: Sendable>(
    _ call: Call<Output>, for actor: String? = nil
  ) async throws(AppError) -> Output {
    do {
      return try await execute(call, for: actor)
    } catch {
      throw AppError(ofDatabase: error)
    }
  }

  /// Executes a call in a separate transaction, like ``run(_:for:)``, without converting errors.
  ///
  /// - Throws: `PostgresError`.
  func execute<Output: Sendable>(_ call: Call<Output>, for actor: String?) async throws -> Output {
    try await database.run(call, for: actor)
  }
}

extension PresenceDatabase: ActorCalling {}

/// Executes one actor's calls.
struct ActorCalls: Sendable {
  let database: PresenceDatabase
  private let actor: String?

  init(database: PresenceDatabase, actor: String?) {
    self.database = database
    self.actor = actor
  }

  /// The actor's id.
  ///
  /// Reading the id throws an error if no actor is signed in.
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
