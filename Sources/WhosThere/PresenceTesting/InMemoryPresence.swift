public import Foundation
public import Presence

/// An in-memory server for accounts, groups, members, invites, presences, messages and
/// achievements.
///
/// The server enforces all rules that affect an app. Each call is either executed completely or
/// rejected. After a stay's deadline has passed, the next call that uses presences ends it.
public actor InMemoryPresence {
  /// The settings that an operator would change on a real server.
  public struct Settings: Sendable {
    /// The maximum number of members in a new group.
    public var mostMembers = 50
    /// The number of wrong invite codes that a user may try per hour.
    public var inviteAttempts = 20
    /// The number of users whom one user may block at the same time.
    public var blocksOfUser = 500
    /// The number of reports that a user may send per hour.
    public var reportsAnHour = 20

    /// Creates the settings for a new server.
    public init() {}
  }

  struct StoredGroup {
    var group: LocationGroup
    var members: [String: GroupMember] = [:]
    /// The users who were removed from the group, and those who have left it.
    ///
    /// If a call to remove a user or to leave the group is repeated, the call succeeds again.
    var removed: Set<String> = []
    var left: Set<String> = []
    var deletedBy: String?
  }

  struct StoredInvite {
    let invite: GroupInvite
    /// The id of the user who created the invite, or nil if the account was deleted.
    var createdBy: String?
    var isCurrent = true
    /// The users who joined the group with this invite.
    var redeemed: Set<String> = []
  }

  /// The number of wrong codes that a user has tried since a given time.
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
  /// The user of each session, keyed by the session's id.
  var sessions: [UUID: String] = [:]

  var presences: [PlaceKey: StoredPresence] = [:]
  var commands: [CommandKey: StoredCommand] = [:]
  var summaries: [String: StoredSummary] = [:]
  /// The first user to arrive at a group's place on each date.
  ///
  /// If the user's account was deleted, the value is nil, and no other user replaces the deleted
  /// user.
  var firstArrivals: [DateKey: String?] = [:]
  var visits: [String: [Visit]] = [:]
  var unlocks: [String: [UserAchievement]] = [:]
  /// The time of each block, keyed by the block's two users.
  var blocks: [UserBlock: Date] = [:]
  /// The stored reports.
  public internal(set) var reports: [StoredReport] = []
  /// The number of messages that each user sent, including deleted messages.
  var messagesSent: [String: Int] = [:]
  var observers: [Int: Observer] = [:]
  var lastObserver = 0

  /// Creates an empty server that uses the given clock.
  public init(settings: Settings = Settings(), clock: @escaping @Sendable () -> Date) {
    self.settings = settings
    self.clock = clock
  }

  var now: Date { clock() }

  /// Disconnects all phones from the server, or reconnects them.
  public func setReachable(_ isReachable: Bool) { self.isReachable = isReachable }

  /// Creates an account in the same way as the first sign-in, or returns the existing account.
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
