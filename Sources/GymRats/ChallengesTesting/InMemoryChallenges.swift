public import Challenges
public import Foundation

/// An in-memory server that implements all repositories.
///
/// The server is intended for tests and for developing an app without a database.
///
/// The server enforces all rules that affect an app: group limits, admins, invites, weeks, ranks
/// and privacy. The server does not run jobs, so no notifications about changed ranks or ended
/// weeks are sent. Each write updates the ranks immediately.
public actor InMemoryChallenges {
  /// The settings that an operator would change on a real server.
  public struct Settings: Sendable {
    /// The maximum number of members in a group.
    public var mostMembers = 10
    /// The grace period in seconds, which begins at the end of a week.
    ///
    /// During the grace period, workouts from the ended week still count.
    public var grace: TimeInterval = 600
    /// The rule for equal values on each type of board.
    public var ranks: [ChallengeType: RankPolicy] = [:]
    /// The rule that selects which of a member's streaks a streak board shows.
    public var streaks = StreakPolicy.peak
    /// Whether clients report streaks.
    ///
    /// If clients report streaks, the server does not derive streaks from workouts.
    public var takesReportedStreaks = false
    /// How long an invite is valid, in seconds.
    public var inviteAge: TimeInterval = 14 * 86_400
    /// The number of unknown invite codes that a user may try per hour.
    public var inviteAttempts = 20
    /// The number of events that a user's phones may report per UTC day.
    public var clientEventsADay = 200
    /// The number of users whom one user may block at the same time.
    public var blocksOfUser = 500
    /// The number of reports that a user may send per hour.
    public var reportsAnHour = 20
    /// The share of users for whom beta features are enabled.
    public var betaShare = BetaShare(percent: 0)

    /// Creates the settings for a new server.
    public init() {}
  }

  let settings: Settings
  private let clock: @Sendable () -> Date
  /// Whether phones can reach the server.
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
  /// The counted events that each user's phones reported, keyed by the user's id.
  public internal(set) var clientEvents: [String: [ReportedEvent]] = [:]
  /// The time when each block was created, keyed by the block.
  var blocks: [UserBlock: Date] = [:]
  /// The stored reports.
  public internal(set) var reports: [StoredReport] = []
  private var observers: [Int: Observer] = [:]
  private var lastObserver = 0

  /// Creates an empty server with its own clock.
  public init(settings: Settings = Settings(), clock: @escaping @Sendable () -> Date) {
    self.settings = settings
    self.clock = clock
  }

  var now: Date { clock() }

  /// Disconnects all phones from the server, or reconnects them.
  public func setReachable(_ isReachable: Bool) { self.isReachable = isReachable }

  /// Throws an error if phones cannot reach the server.
  func reach() throws {
    guard isReachable else { throw DomainError.networkUnavailable }
  }

  // MARK: Users

  /// Creates or updates an account, as a sign-in does.
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

  /// Returns the signed-in actor.
  ///
  /// The method throws an error if no actor is signed in or if `userId` is the id of another user.
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

  /// The number of open streams.
  public var observerCount: Int { observers.count }

  func observe(
    _ viewer: String?, _ groupId: String, _ type: ChallengeType,
    _ continuation: AsyncStream<Result<LeaderboardSnapshot, DomainError>>.Continuation
  ) {
    lastObserver += 1
    let number = lastObserver
    observers[number] = Observer(
      viewer: viewer, groupId: groupId, type: type, continuation: continuation)
    // The handler is not called if the stream is already cancelled. If the stream is already
    // cancelled, `refresh` removes the observer, because yielding the first snapshot fails.
    continuation.onTermination = { [weak self] _ in
      Task { [weak self] in await self?.forget(number) }
    }
    refresh()
  }

  private func forget(_ number: Int) { observers[number] = nil }

  /// Sends each observer the current snapshot, unless the observer has already received it.
  ///
  /// Every write calls this method. A test must call this method after moving the clock, so that
  /// streams continue with the new week.
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
