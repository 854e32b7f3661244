public import Challenges
public import Foundation

/// A server without a database: all that the repositories promise, for tests and for building an app.
///
/// It follows the rules that an app can meet: the limit of members, one group for each user, admins, invites, what
/// counts in which week, ranks, privacy. It has no jobs: it sends no notification of changed ranks or of a week's end,
/// and it ranks a board as soon as it is written.
public actor InMemoryChallenges {
  /// What an operator would set.
  public struct Settings: Sendable {
    /// The most members of a group.
    public var mostMembers = 10
    /// How long after its end a week takes workouts performed before it.
    public var grace: TimeInterval = 600
    /// How ties are ranked.
    public var ranks: [ChallengeType: RankPolicy] = [:]
    /// What a board of streaks shows.
    public var streaks = StreakPolicy.peak
    /// Whether the app reports streaks, instead of the server deriving them.
    public var takesReportedStreaks = false
    /// How long an invite opens something.
    public var inviteAge: TimeInterval = 14 * 86_400
    /// Invites that are not there which a user may try in an hour.
    public var inviteAttempts = 20
    /// Events that a user's phones may report on one UTC day.
    public var clientEventsADay = 200
    /// The share of users for whom a beta is on.
    public var betaShare = BetaShare(percent: 0)

    /// As a new server has them.
    public init() {}
  }

  let settings: Settings
  private let clock: @Sendable () -> Date
  /// Whether phones reach it.
  private var isReachable = true

  var users: [String: StoredUser] = [:]
  var groups: [String: StoredGroup] = [:]
  var invites: [StoredInvite] = []
  var attempts: [String: [Date]] = [:]
  var ledger: [String: [String: StoredWorkout]] = [:]
  var refusedEdits: Set<RefusedEdit> = []
  var reportedStreaks: [String: [BoardPlace: StoredStreak]] = [:]
  var boards: [BoardPlace: StoredBoard] = [:]
  var notifications: [GroupNotification] = []
  /// What phones reported, by user, as many as count.
  public internal(set) var clientEvents: [String: [ReportedEvent]] = [:]
  private var observers: [Int: Observer] = [:]
  private var lastObserver = 0

  /// An empty server with a clock of its own.
  public init(settings: Settings = Settings(), clock: @escaping @Sendable () -> Date) {
    self.settings = settings
    self.clock = clock
  }

  var now: Date { clock() }

  /// Cuts all phones off, or lets them reach it again.
  public func setReachable(_ isReachable: Bool) { self.isReachable = isReachable }

  /// Refuses a call that would not have arrived.
  func reach() throws {
    guard isReachable else { throw DomainError.networkUnavailable }
  }

  // MARK: Users

  /// Makes or renews an account, as signing in does.
  @discardableResult
  public func addUser(
    _ id: String, displayName: String, asksForName: Bool = false,
    provider: AuthProvider = .email, email: String? = nil
  ) -> SocialUser {
    var user =
      users[id]?.user
      ?? SocialUser(id: id, displayName: displayName, authProvider: provider, createdAt: now)
    user.displayName = displayName
    user.asksForName = asksForName
    user.email = email ?? user.email
    users[id, default: StoredUser(user: user)].user = user
    return user
  }

  func account(_ id: String) -> SocialUser? { users[id]?.user }

  /// The actor, who has to be signed in and may act only for themselves.
  func signedIn(_ actor: String?, as userId: String? = nil) throws -> SocialUser {
    try reach()
    guard let actor, let user = users[actor]?.user, userId == nil || userId == actor else {
      throw DomainError.notAuthenticated
    }
    return user
  }

  func updateCurrentGroup(_ actor: String?, _ userId: String, _ groupId: String?) throws {
    let current = try signedIn(actor, as: userId).currentGroupId
    guard current != groupId else { return }
    guard groupId != nil else { throw DomainError.alreadyInGroup(groupId: current) }
    throw DomainError.notAMember
  }

  func updatePrivacySettings(
    _ actor: String?, _ userId: String, _ privacy: PrivacySettings
  ) throws {
    let user = try signedIn(actor, as: userId)
    guard user.privacySettings != privacy else { return }
    users[userId]?.user.privacySettings = privacy
    if privacy.shareWorkoutData {
      let last = (users[userId]?.pauses.count ?? 0) - 1
      users[userId]?.pauses[last].end = now
    } else {
      users[userId]?.pauses.append(Interval(start: now, end: nil))
    }
    refresh()
  }

  // MARK: Observers

  private struct Observer {
    let viewer: String?
    let groupId: String
    let type: ChallengeType
    let continuation: AsyncStream<Result<LeaderboardSnapshot, DomainError>>.Continuation
    var last: LeaderboardSnapshot?
  }

  /// How many streams are open.
  public var observerCount: Int { observers.count }

  func observe(
    _ viewer: String?, _ groupId: String, _ type: ChallengeType,
    _ continuation: AsyncStream<Result<LeaderboardSnapshot, DomainError>>.Continuation
  ) {
    lastObserver += 1
    let number = lastObserver
    observers[number] = Observer(
      viewer: viewer, groupId: groupId, type: type, continuation: continuation)
    // If the stream was cancelled before this line, the handler is not called: the first snapshot reveals it.
    continuation.onTermination = { [weak self] _ in
      Task { [weak self] in await self?.forget(number) }
    }
    refresh()
  }

  private func forget(_ number: Int) { observers[number] = nil }

  /// Shows all observers what they have not seen.
  ///
  /// Every write calls it. A test that moves the clock has to call it too, so that streams go over to a new week.
  public func refresh() {
    for groupId in groups.keys { publish(groupId) }
    for (number, observer) in observers.sorted(by: { $0.key < $1.key }) {
      do {
        let snapshot = try snapshot(observer.viewer, observer.groupId, observer.type)
        guard
          snapshot.challenge.id != observer.last?.challenge.id
            || snapshot.rankVersion != observer.last?.rankVersion
        else { continue }
        observers[number]?.last = snapshot
        if case .terminated = observer.continuation.yield(.success(snapshot)) { forget(number) }
      } catch let error as DomainError where error.isRetryable {
        observer.continuation.yield(.failure(error))
      } catch {
        observer.continuation.yield(.failure(error as? DomainError ?? .groupNotFound))
        observer.continuation.finish()
        observers[number] = nil
      }
    }
  }
}
