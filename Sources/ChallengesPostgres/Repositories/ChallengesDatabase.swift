public import Challenges
public import Live
public import Postgres

/// The database behind the repositories of any number of actors.
///
/// One connection, opened by the first call and again after it was lost. Each call is one transaction in
/// one round trip, so calls that arrive together take turns. A call is never made again by itself: whoever
/// made it is told `networkUnavailable` and decides. Streams, however many, have one connection more, while
/// there are any.
public actor ChallengesDatabase {
  private let configuration: ConnectionConfiguration
  private let schema: Schema
  private let identity: (@Sendable (_ actor: String) -> Identity)?
  private var session: Session?
  private var opening: Task<Connection, any Error>?
  private nonisolated let hub: LiveHub
  /// Where boards are observed.
  nonisolated let boards: LiveChannel<BoardFeed>

  /// A database, not connected yet.
  ///
  /// - Parameters:
  ///   - live: how often streams look for something new.
  ///   - streams: how streams reach the database, where the login that makes calls may not observe boards for all.
  ///   - identity: who calls of an actor act as; nil: the login, which may speak for everybody.
  public init(
    _ configuration: ConnectionConfiguration, schema: Schema, live: LiveOptions = LiveOptions(),
    streams: ConnectionConfiguration? = nil,
    identity: (@Sendable (_ actor: String) -> Identity)? = nil
  ) {
    self.configuration = configuration
    self.schema = schema
    self.identity = identity
    let hub = LiveHub(streams ?? configuration, in: schema, options: live)
    self.hub = hub
    boards = hub.channel(for: BoardFeed())
  }

  /// Makes a call in a transaction of its own, for an actor or for the server itself.
  ///
  /// - Throws: `DomainError` where the call was refused or did not arrive; `PostgresError` for anything else,
  ///   which is a mistake of the program or of the data.
  func run<Output: Sendable>(_ call: Call<Output>, for actor: String?) async throws -> Output {
    do {
      var session = try await connected()
      if let actor, let identity { session = session.acting(as: identity(actor)) }
      do throws(PostgresError) {
        return try await session.atomically(call)
      } catch {
        if await session.connection.isBroken { forget(session.connection) }
        throw error
      }
    } catch let error as PostgresError {
      throw DomainError(error) ?? error
    }
  }

  /// Closes the connection, and that of streams where nobody reads one; a later call or stream opens another.
  public func close() async {
    hub.close()
    guard let connection = session?.connection else { return }
    session = nil
    await connection.close()
  }

  private func connected() async throws -> Session {
    if let session { return session }
    // Whoever comes meanwhile waits for the same one.
    let opening = opening ?? Task { [configuration] in try await Connection.open(configuration) }
    self.opening = opening
    defer { if self.opening == opening { self.opening = nil } }
    let connection = try await opening.value
    if let session { return session }
    let session = Session(connection, in: schema)
    self.session = session
    return session
  }

  private func forget(_ connection: Connection) {
    if session?.connection === connection { session = nil }
  }
}

extension ChallengesDatabase {
  /// The repositories of one actor, whom the caller has verified; nil: of somebody who is not signed in.
  public nonisolated func repositories(for actor: String?) -> ActorRepositories {
    let calls = ActorCalls(database: self, actor: actor)
    return ActorRepositories(
      users: PostgresUsers(calls: calls), groups: PostgresGroups(calls: calls),
      invites: PostgresInvites(calls: calls), workouts: PostgresWorkouts(calls: calls),
      leaderboards: PostgresBoards(calls: calls),
      notifications: PostgresInbox(calls: calls), analytics: PostgresAnalytics(calls: calls))
  }

  /// What the server itself may do.
  public nonisolated var server: any ServerRepository { PostgresServer(database: self) }
}

/// The calls of one actor.
struct ActorCalls: Sendable {
  let database: ChallengesDatabase
  private let actor: String?

  init(database: ChallengesDatabase, actor: String?) {
    self.database = database
    self.actor = actor
  }

  /// The actor, who speaks for nobody else.
  func signedIn(as userId: String? = nil) throws(DomainError) -> String {
    guard let actor else { throw .notAuthenticated }
    if let userId, !userId.hasSameBytes(as: actor) { throw .notAuthenticated }
    return actor
  }

  func run<Output: Sendable>(_ call: Call<Output>) async throws -> Output {
    try await database.run(call, for: actor)
  }
}
