public import Foundation

// Each repository belongs to one actor, who is signed in or not. A call with the id of another user
// throws `DomainError.notAuthenticated`, and a refused call throws a `DomainError`. If the
// connection fails, the call throws `DomainError.networkUnavailable`. A repeated call takes effect
// only once.

/// Signs the user in and out, and returns the signed-in user.
public protocol AuthenticationRepository: Sendable {
  /// Returns the signed-in user, or nil if no user is signed in.
  func currentUser() async throws -> SocialUser?

  /// Signs in with an email address and a password, which only the identity provider receives.
  ///
  /// - Throws: `AuthError.invalidCredential` if the address or the password is wrong.
  func signInWithEmail(_ email: String, password: String) async throws -> SocialUser

  /// Signs the user out on this phone, or does nothing if no user is signed in.
  func signOut() async throws
}

/// Reads and changes the actor's own account.
public protocol UserRepository: Sendable {
  /// Returns the actor's account, or nil if the id belongs to another user.
  func getUser(_ userId: String) async throws -> SocialUser?

  /// Checks which group the user is in, and changes nothing.
  ///
  /// Only older callers use this method, because joining and leaving change the group.
  ///
  /// - Throws: `notAMember` if the user is not in the group, and `alreadyInGroup` if `groupId` is
  ///   nil and the user is in a group.
  func updateCurrentGroup(userId: String, groupId: String?) async throws

  /// Changes the data that the actor shares.
  ///
  /// The boards are updated, and no notification is sent.
  func updatePrivacySettings(userId: String, settings: PrivacySettings) async throws
}

/// Reads and changes groups and their members.
public protocol GroupRepository: Sendable {
  /// Creates a group with its first member, who is an admin.
  ///
  /// A repeated call returns the same group.
  func createGroup(id: String, name: String, ownerId: String) async throws -> Group

  /// Returns a group that the actor is in, or nil for any other group.
  func getGroup(_ groupId: String) async throws -> Group?

  /// Removes another member from the group.
  ///
  /// Only admins may call this method.
  func removeMember(groupId: String, userId: String) async throws

  /// Removes the actor from the group.
  ///
  /// If the actor was the only admin, the member who joined first becomes an admin.
  func leaveGroup(groupId: String, userId: String) async throws

  /// Deletes the group for all of its members.
  ///
  /// Only admins may call this method.
  func deleteGroup(_ groupId: String) async throws

  /// Returns the members in the order in which they joined.
  func getMembers(groupId: String) async throws -> [GroupMember]

  /// Makes another member an admin.
  ///
  /// Only admins may call this method.
  func promote(groupId: String, userId: String) async throws
}

extension GroupRepository {
  /// Creates a group with a new random id.
  public func createGroup(name: String, ownerId: String) async throws -> Group {
    try await createGroup(id: UUID().uuidString.lowercased(), name: name, ownerId: ownerId)
  }
}

/// Creates, revokes and uses invites into groups.
public protocol InviteRepository: Sendable {
  /// Creates an invite into a group that the actor is in.
  ///
  /// A repeated call returns the same invite.
  ///
  /// - Parameter code: 32 hexadecimal digits that cannot be guessed, as `InviteCode.random()`
  ///   returns them.
  func createInvite(groupId: String, code: InviteCode) async throws -> Invite

  /// Revokes an invite.
  ///
  /// Only the creator of the invite and admins may call this method.
  func revokeInvite(_ inviteId: String) async throws

  /// Returns the data about a group that a user may see before joining it.
  func previewInvite(_ code: InviteCode) async throws -> InvitePreview

  /// Joins the group of an invite.
  func joinGroup(_ code: InviteCode) async throws -> Group
}

extension InviteRepository {
  /// Creates an invite with a new random code.
  public func createInvite(groupId: String) async throws -> Invite {
    try await createInvite(groupId: groupId, code: .random())
  }
}

/// Records and deletes the actor's workouts.
public protocol WorkoutRepository: Sendable {
  /// Records a new, an edited or a resent workout.
  func recordWorkout(_ entry: WorkoutHistoryEntry) async throws -> WorkoutAnswer

  /// Deletes a workout.
  ///
  /// - Parameter revision: A number higher than the recorded revision.
  func deleteWorkout(_ workoutId: String, revision: Int) async throws -> WorkoutAnswer
}

/// Reads boards, and changes values that do not depend on workouts.
public protocol LeaderboardRepository: Sendable {
  /// Returns the check-in challenge and the streak challenge of the current week, even if no
  /// workout was recorded.
  func getCurrentWeekChallenges(groupId: String) async throws -> [Challenge]

  /// Returns one snapshot of the current week's board.
  func leaderboard(groupId: String, type: ChallengeType) async throws -> LeaderboardSnapshot

  /// Returns a stream of the current board and of each visible change.
  ///
  /// A slow reader receives only the newest snapshot. When a week ends, the stream continues with
  /// the next week's board. After a retryable error, snapshots may be late, and the stream
  /// continues. An error that is not retryable is the last element of the stream. If the stream
  /// ends without an error, the task was cancelled.
  func observeUpdates(
    groupId: String, type: ChallengeType
  ) -> AsyncStream<Result<LeaderboardSnapshot, DomainError>>

  /// Adds one to the actor's check-ins.
  ///
  /// - Parameter key: A key that makes the call idempotent. A repeated call with the same key adds
  ///   nothing. If the key is nil, each call adds one.
  @discardableResult
  func incrementCheckIn(
    challengeId: String, userId: String, key: String?
  ) async throws -> WorkoutAnswer

  /// Sets the actor's streak, if the server does not derive streaks from workouts.
  ///
  /// - Throws: `streakIsDerived` if the server derives streaks from workouts.
  @discardableResult
  func updateStreak(
    challengeId: String, userId: String, streakDays: Int
  ) async throws -> WorkoutAnswer
}

extension LeaderboardRepository {
  /// Adds one to the actor's check-ins on each call.
  @discardableResult
  public func incrementCheckIn(challengeId: String, userId: String) async throws -> WorkoutAnswer {
    try await incrementCheckIn(challengeId: challengeId, userId: userId, key: nil)
  }

  /// Returns the snapshots of `observeUpdates` for callers that do not need the reason why the
  /// stream ended.
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

/// Reads the actor's notifications and marks them as read.
public protocol NotificationRepository: Sendable {
  /// Returns one page of visible notifications, newest first.
  ///
  /// - Parameter last: The last notification of the previous page, or nil for the first page.
  func fetchNotifications(
    after last: GroupNotification?, limit: Int
  ) async throws -> [GroupNotification]

  /// Returns the number of visible, unread notifications.
  func badgeCount() async throws -> Int

  /// Marks the actor's own notifications as read.
  ///
  /// Ids of other users' notifications are ignored.
  func markAsRead(_ notificationIds: [String]) async throws
}

/// Reports events of the actor's phones, and returns which betas are enabled for the actor.
public protocol AnalyticsRepository: Sendable {
  /// Counts an event.
  ///
  /// Repeated reports with the same id are counted once. An event beyond the limit is not counted,
  /// and a repeated call cannot succeed on the same day.
  ///
  /// - Returns: False if the actor's phones have reached the limit of reports for one UTC day.
  /// - Throws: `invalidInput` for a time below 0 or above ``ClientEvent/longestFetch``.
  @discardableResult
  func report(_ event: ClientEvent) async throws -> Bool

  /// Returns whether a beta is enabled for the actor.
  ///
  /// A beta stays enabled for a user unless its share of users shrinks.
  func isBeta() async throws -> Bool
}

/// Calls that are reserved for the server and that no app can make.
public protocol ServerRepository: Sendable {
  /// Makes a user a member of a group.
  ///
  /// The group must not be full, and the user must not be in another group. If the account is
  /// missing, it is created with this name and photo. An existing account is not changed.
  func addMember(groupId: String, userId: String, displayName: String, photoURL: URL?) async throws

  /// Sends a notification to a user, who can see it until it expires.
  ///
  /// The id makes the call idempotent, so a repeated call sends nothing. The stored notification
  /// has its own id.
  ///
  /// - Throws: `invalidInput` for types that only jobs send.
  func createNotification(_ notification: GroupNotification) async throws
}
