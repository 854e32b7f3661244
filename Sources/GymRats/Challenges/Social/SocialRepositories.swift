public import Foundation

// Each repository is made for one actor, who is signed in or not. A call in another user's name throws
// `DomainError.notAuthenticated`. A refused call throws a `DomainError`. If the connection fails, the call throws
// `DomainError.networkUnavailable`; repeating it then does nothing twice.

/// The signed-in user, and signing in and out.
public protocol AuthenticationRepository: Sendable {
  /// The user; nil: no user is signed in.
  func currentUser() async throws -> SocialUser?

  /// Signs in with an address and a password, which go only to the identity provider.
  ///
  /// - Throws: `AuthError.invalidCredential` if they are wrong.
  func signInWithEmail(_ email: String, password: String) async throws -> SocialUser

  /// Signs the user out on this phone; does nothing if no user is signed in.
  func signOut() async throws
}

/// The actor's own account.
public protocol UserRepository: Sendable {
  /// The actor's account; nil for the id of another user.
  func getUser(_ userId: String) async throws -> SocialUser?

  /// Checks which group the user is in, and changes nothing.
  ///
  /// Joining and leaving change the group. This call remains for older callers.
  ///
  /// - Throws: `notAMember` if the user is not in the group, `alreadyInGroup` if `groupId` is nil and the user is in
  ///   one.
  func updateCurrentGroup(userId: String, groupId: String?) async throws

  /// Changes what the actor shares; boards follow, and no notification is sent.
  func updatePrivacySettings(userId: String, settings: PrivacySettings) async throws
}

/// Groups and their members.
public protocol GroupRepository: Sendable {
  /// Makes a group with its first member, an admin. The same call again answers the same group.
  func createGroup(id: String, name: String, ownerId: String) async throws -> Group

  /// A group that the actor is in; nil for any other.
  func getGroup(_ groupId: String) async throws -> Group?

  /// Removes another member; for admins.
  func removeMember(groupId: String, userId: String) async throws

  /// Leaves the group; if the actor was the only admin, the member of longest standing becomes one.
  func leaveGroup(groupId: String, userId: String) async throws

  /// Ends the group for all of its members; for admins.
  func deleteGroup(_ groupId: String) async throws

  /// The members, by joining.
  func getMembers(groupId: String) async throws -> [GroupMember]

  /// Makes another member an admin too; for admins.
  func promote(groupId: String, userId: String) async throws
}

extension GroupRepository {
  /// Makes a group with a new random id.
  public func createGroup(name: String, ownerId: String) async throws -> Group {
    try await createGroup(id: UUID().uuidString.lowercased(), name: name, ownerId: ownerId)
  }
}

/// Invites into groups.
public protocol InviteRepository: Sendable {
  /// Makes an invite into a group that the actor is in; the same call again returns the same invite.
  ///
  /// - Parameter code: 32 hexadecimal digits that cannot be guessed, as `InviteCode.random()` makes them.
  func createInvite(groupId: String, code: InviteCode) async throws -> Invite

  /// Revokes an invite; for its maker, and for admins.
  func revokeInvite(_ inviteId: String) async throws

  /// What a group looks like to users outside it.
  func previewInvite(_ code: InviteCode) async throws -> InvitePreview

  /// Joins the group that an invite leads into.
  func joinGroup(_ code: InviteCode) async throws -> Group
}

extension InviteRepository {
  /// Makes an invite with a new random code.
  public func createInvite(groupId: String) async throws -> Invite {
    try await createInvite(groupId: groupId, code: .random())
  }
}

/// The actor's workouts.
public protocol WorkoutRepository: Sendable {
  /// Records a workout, new, edited or sent again.
  func recordWorkout(_ entry: WorkoutHistoryEntry) async throws -> WorkoutAnswer

  /// Takes a workout back, under a revision higher than the recorded one.
  func deleteWorkout(_ workoutId: String, revision: Int) async throws -> WorkoutAnswer
}

/// Boards.
public protocol LeaderboardRepository: Sendable {
  /// Both challenges of the current week, whatever has been written in it.
  func getCurrentWeekChallenges(groupId: String) async throws -> [Challenge]

  /// The board of the current week, once.
  func leaderboard(groupId: String, type: ChallengeType) async throws -> LeaderboardSnapshot

  /// The board now, then after each visible change; a slow reader gets only the newest snapshot.
  ///
  /// The stream goes over to the next week by itself. A retryable error means that snapshots may be late, and others
  /// follow it; any other error is the last element. A stream that ends without an error was cancelled.
  func observeUpdates(
    groupId: String, type: ChallengeType
  ) -> AsyncStream<Result<LeaderboardSnapshot, DomainError>>

  /// Adds one to the actor's check-ins.
  ///
  /// - Parameter key: makes the call idempotent: the same key adds nothing again; nil: each call adds one.
  @discardableResult
  func incrementCheckIn(
    challengeId: String, userId: String, key: String?
  ) async throws -> WorkoutAnswer

  /// Sets the actor's streak, if streaks are not derived from workouts.
  ///
  /// - Throws: `streakIsDerived` if they are.
  @discardableResult
  func updateStreak(
    challengeId: String, userId: String, streakDays: Int
  ) async throws -> WorkoutAnswer
}

extension LeaderboardRepository {
  /// Adds one to the actor's check-ins, on each call.
  @discardableResult
  public func incrementCheckIn(challengeId: String, userId: String) async throws -> WorkoutAnswer {
    try await incrementCheckIn(challengeId: challengeId, userId: userId, key: nil)
  }

  /// The snapshots of `observeUpdates`, for callers that do not need the reason why the stream ended.
  public func observeLeaderboard(
    groupId: String, type: ChallengeType
  ) -> AsyncStream<LeaderboardSnapshot> {
    let updates = observeUpdates(groupId: groupId, type: type)
    return AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let task = Task {
        for await case .success(let snapshot) in updates { continuation.yield(snapshot) }
        continuation.finish()
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }
}

/// The actor's notifications.
public protocol NotificationRepository: Sendable {
  /// What is visible, newest first.
  ///
  /// - Parameter last: the last one of the page before; nil: begin.
  func fetchNotifications(
    after last: GroupNotification?, limit: Int
  ) async throws -> [GroupNotification]

  /// How many are visible and unread.
  func badgeCount() async throws -> Int

  /// Marks the actor's own notifications as read; other ids are ignored.
  func markAsRead(_ notificationIds: [String]) async throws
}

/// What the actor's phones report about themselves, and which betas are on for the actor.
public protocol AnalyticsRepository: Sendable {
  /// Counts an event; the same id again counts once.
  ///
  /// - Returns: false if the actor's phones have reached the limit of reports for one UTC day. Then it was not counted,
  ///   and another try does not help.
  /// - Throws: `invalidInput` for a time below 0 or above ``ClientEvent/longestFetch``.
  @discardableResult
  func report(_ event: ClientEvent) async throws -> Bool

  /// Whether a beta is on for the actor; it stays on as long as its share of users does not shrink.
  func isBeta() async throws -> Bool
}

/// Calls that only the server may make: no app has them.
public protocol ServerRepository: Sendable {
  /// Makes a user a member, within the group's limit of members and the limit of one group for each user.
  ///
  /// An account that is made here gets this name and photo; an existing account keeps its own.
  func addMember(groupId: String, userId: String, displayName: String, photoURL: URL?) async throws

  /// Sends a notification to a user, who can see it from now on until it expires.
  ///
  /// The id makes the call idempotent: a repeated call sends nothing. The stored notification gets its own id.
  ///
  /// - Throws: `invalidInput` for types that only jobs send.
  func createNotification(_ notification: GroupNotification) async throws
}
