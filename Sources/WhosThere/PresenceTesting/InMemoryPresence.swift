public import Foundation
public import Presence

/// A server without a database: accounts, groups, members, invites, presences, messages and achievements.
///
/// It holds to the rules that an app can meet; each call is one step that is done or refused. What time alone ends,
/// the next call finds ended.
public actor InMemoryPresence {
  /// What an operator would set.
  public struct Settings: Sendable {
    /// The most members of a new group.
    public var mostMembers = 50
    /// Wrong invites which a user may try in an hour.
    public var inviteAttempts = 20

    /// As a new server has them.
    public init() {}
  }

  struct StoredGroup {
    var group: LocationGroup
    var members: [String: GroupMember] = [:]
    /// Users who were removed, and users who have left: the same call again is not refused.
    var removed: Set<String> = []
    var left: Set<String> = []
    var deletedBy: String?
  }

  struct StoredInvite {
    let invite: GroupInvite
    var isCurrent = true
    /// Who has come in by it.
    var redeemed: Set<String> = []
  }

  /// A user's wrong codes since an instant.
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
  /// Whose devices they are.
  var sessions: [UUID: String] = [:]

  var presences: [PlaceKey: StoredPresence] = [:]
  var commands: [CommandKey: StoredCommand] = [:]
  var summaries: [String: StoredSummary] = [:]
  /// Who came first on a group's date; the account may be gone since, and the date is taken.
  var firstArrivals: [DateKey: String?] = [:]
  var visits: [String: [Visit]] = [:]
  var unlocks: [String: [UserAchievement]] = [:]
  /// How many messages each user sent, also those that were deleted.
  var messagesSent: [String: Int] = [:]
  var observers: [Int: Observer] = [:]
  var lastObserver = 0

  /// An empty server with a clock of its own.
  public init(settings: Settings = Settings(), clock: @escaping @Sendable () -> Date) {
    self.settings = settings
    self.clock = clock
  }

  var now: Date { clock() }

  /// Cuts all phones off, or lets them reach it again.
  public func setReachable(_ isReachable: Bool) { self.isReachable = isReachable }

  /// Makes an account, as the first signing in does; one that is there stays as it is.
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

  /// The actor, who has to be signed in.
  func signedIn(_ actor: String?) throws(AppError) -> User {
    try reach()
    guard let actor, let user = users[actor] else { throw .notAuthenticated }
    return user
  }
}
