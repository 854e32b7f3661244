public import Foundation
public import Presence

/// A server in memory with accounts, groups, members, invites, presences, messages and
/// achievements.
///
/// The server applies the rules that an app meets. Each call is executed completely or refused. If
/// a state ends at a certain time, the next call after the end time ends the state.
public actor InMemoryPresence {
  /// The settings that an operator would change on a real server.
  public struct Settings: Sendable {
    /// The maximum number of members of a new group.
    public var mostMembers = 50
    /// The number of wrong invites that a user may try per hour.
    public var inviteAttempts = 20

    /// Creates the settings of a new server.
    public init() {}
  }

  struct StoredGroup {
    var group: LocationGroup
    var members: [String: GroupMember] = [:]
    /// The users who were removed, and the users who have left.
    ///
    /// A repeated call to remove or leave is not refused for these users.
    var removed: Set<String> = []
    var left: Set<String> = []
    var deletedBy: String?
  }

  struct StoredInvite {
    let invite: GroupInvite
    var isCurrent = true
    /// The users who joined with this invite.
    var redeemed: Set<String> = []
  }

  /// The number of a user's wrong codes since an instant.
  struct AttemptCount {
    var beganAt: Date
    var count = 0
  }

  let settings: Settings
  private let clock: @Sendable () -> Date
  private var isReachable = true

  var users: [String: User] = [:]
  var groups: [String: StoredGroup] = [:]
  var invites: [StoredInvite] = []
  var attempts: [String: AttemptCount] = [:]
  var messages: [UUID: Message] = [:]
  var buckets: [BucketKey: RateLimiter] = [:]
  var messageObservers: [UUID: MessageObserver] = [:]

  var identities: [Credential: String] = [:]
  /// The users of the sessions, by session id.
  var sessions: [UUID: String] = [:]

  var presences: [PlaceKey: StoredPresence] = [:]
  var commands: [CommandKey: StoredCommand] = [:]
  var summaries: [String: StoredSummary] = [:]
  /// The user who arrived first on each date of a group.
  ///
  /// If the user's account was deleted, the value is nil, and no other user becomes the first on
  /// that date.
  var firstArrivals: [DateKey: String?] = [:]
  var visits: [String: [Visit]] = [:]
  var unlocks: [String: [UserAchievement]] = [:]
  /// The number of messages that each user sent, including deleted messages.
  var messagesSent: [String: Int] = [:]
  var observers: [Int: Observer] = [:]
  var lastObserver = 0

  /// Creates an empty server with its own clock.
  public init(settings: Settings = Settings(), clock: @escaping @Sendable () -> Date) {
    self.settings = settings
    self.clock = clock
  }

  var now: Date { clock() }

  /// Disconnects all phones from the server, or connects them again.
  public func setReachable(_ isReachable: Bool) { self.isReachable = isReachable }

  /// Creates an account, as the first sign-in does, or returns the existing account.
  @discardableResult
  public func addUser(_ id: String, displayName: String, isAnonymous: Bool = false) -> User {
    if let known = users[id] { return known }
    let user = User(id: id, displayName: displayName, isAnonymous: isAnonymous, createdAt: now)
    users[id] = user
    return user
  }

  func reach() throws(AppError) {
    guard isReachable else { throw .networkUnavailable }
  }

  /// Returns the signed-in actor.
  ///
  /// The method throws an error if no actor is signed in.
  func signedIn(_ actor: String?) throws(AppError) -> User {
    try reach()
    guard let actor, let user = users[actor] else { throw .notAuthenticated }
    return user
  }
}
