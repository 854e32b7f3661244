public import Foundation

// Each repository makes its calls for one user, the actor, who may or may not be signed in. A call
// with the id of another user throws `DomainError.notAuthenticated`. Any other refused call throws
// a `DomainError` with the reason. If the connection fails, the call throws
// `DomainError.networkUnavailable`. A repeated call takes effect only once.

/// Signs the user in and out, and returns the signed-in user.
public protocol AuthenticationRepository: Sendable {
  /// Returns the signed-in user, or nil if no user is signed in.
  func currentUser() async throws -> SocialUser?

  /// Signs in with an email address and a password, which are sent only to the identity provider.
  ///
  /// - Throws: `AuthError.invalidCredential` if the address or the password is wrong.
  func signInWithEmail(_ email: String, password: String) async throws -> SocialUser

  /// Signs out the user of this phone, or does nothing if no user is signed in.
  func signOut() async throws
}

/// Reads and changes the actor's own account.
public protocol UserRepository: Sendable {
  /// Returns the actor's account, or nil if the id belongs to another user.
  func getUser(_ userId: String) async throws -> SocialUser?

  /// Checks whether the user is in the given group, and changes nothing.
  ///
  /// Only older clients call this method, because joining and leaving a group also set the user's
  /// current group.
  ///
  /// - Throws: `notAMember` if the user is not in the group, and `alreadyInGroup` if `groupId` is
  ///   nil and the user is in a group.
  func updateCurrentGroup(userId: String, groupId: String?) async throws

  /// Changes the data that the actor shares.
  ///
  /// The boards are updated, but no notification is sent.
  func updatePrivacySettings(userId: String, settings: PrivacySettings) async throws

  /// Replaces the actor's name and photo, which other members see.
  ///
  /// The name is also changed on the boards of open weeks. Closed boards keep the old name.
  ///
  /// - Throws: `invalidInput` if the name is empty or too long.
  func updateProfile(userId: String, displayName: String, photoURL: URL?) async throws

  /// Deletes the actor's account with all workouts and notifications.
  ///
  /// The deletion also removes the actor from the group. Closed boards keep the actor's rank
  /// without the actor's name. After the deletion, all calls throw `notAuthenticated`.
  func deleteAccount(_ userId: String) async throws
}

/// Reads and changes groups and their members.
public protocol GroupRepository: Sendable {
  /// Creates a group with its first member, who is an admin.
  ///
  /// A repeated call returns the same group.
  func createGroup(id: String, name: String, ownerId: String) async throws -> Group

  /// Changes the name of a group.
  ///
  /// Only admins may call this method. If the group has a new name, a repeated call of
  /// ``createGroup(id:name:ownerId:)`` with the old name throws `conflictingRepeat`.
  ///
  /// - Throws: `invalidInput` if the name is empty or longer than 100 characters.
  func updateGroup(_ groupId: String, name: String) async throws -> Group

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

  /// Turns the actor's notifications about rank changes in a group off or on.
  ///
  /// Notifications about new members and about the end of a week are still sent.
  func muteGroup(_ groupId: String, isMuted: Bool) async throws
}

extension GroupRepository {
  /// Creates a group with a new random id.
  public func createGroup(name: String, ownerId: String) async throws -> Group {
    try await createGroup(id: UUID().uuidString.lowercased(), name: name, ownerId: ownerId)
  }
}

/// Creates, lists, revokes and redeems invites to groups.
public protocol InviteRepository: Sendable {
  /// Creates an invite to a group that the actor is in.
  ///
  /// A repeated call returns the same invite.
  ///
  /// - Parameter code: A code that cannot be guessed, with 32 hexadecimal digits, for example the
  ///   result of `InviteCode.random()`.
  func createInvite(groupId: String, code: InviteCode) async throws -> Invite

  /// Returns at most 100 valid invites to a group that the actor is in, newest first.
  ///
  /// The list does not contain the codes, because the server stores only hashes of the codes.
  func listInvites(groupId: String) async throws -> [ListedInvite]

  /// Revokes an invite.
  ///
  /// Only the creator of the invite and admins of the group may call this method.
  func revokeInvite(_ inviteId: String) async throws

  /// Returns the data that a user may see about a group before joining the group.
  func previewInvite(_ code: InviteCode) async throws -> InvitePreview

  /// Joins the group to which an invite belongs.
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
  /// Records a new workout, an edited workout or a workout that is sent again.
  func recordWorkout(_ entry: WorkoutHistoryEntry) async throws -> WorkoutAnswer

  /// Deletes a workout.
  ///
  /// - Parameter revision: A revision that is higher than the recorded revision of the workout.
  func deleteWorkout(_ workoutId: String, revision: Int) async throws -> WorkoutAnswer
}

/// Reads boards, and changes check-in counts and streaks directly.
public protocol LeaderboardRepository: Sendable {
  /// Returns the check-in challenge and the streak challenge of the current week, even if no
  /// workout was recorded.
  func getCurrentWeekChallenges(groupId: String) async throws -> [Challenge]

  /// Returns a snapshot of the current week's board.
  func leaderboard(groupId: String, type: ChallengeType) async throws -> LeaderboardSnapshot

  /// Returns the most recently published entries of a current or earlier challenge, in display
  /// order.
  ///
  /// The entries of a closed week do not change, except that the name of a deleted account is
  /// removed.
  ///
  /// - Throws: `challengeNotFound` if no challenge has this id.
  func entries(of challengeId: String) async throws -> [LeaderboardEntry]

  /// Returns a stream that begins with the current board and continues with each visible change.
  ///
  /// A slow reader receives only the newest snapshot. When a week ends, the stream continues with
  /// the next week's board. After a retryable error, the stream continues, but snapshots may arrive
  /// late. An error that is not retryable is the last element of the stream. If the stream ends
  /// without an error, the task was cancelled.
  func observeUpdates(
    groupId: String, type: ChallengeType
  ) -> AsyncStream<Result<LeaderboardSnapshot, DomainError>>

  /// Increases the actor's number of check-ins by one.
  ///
  /// - Parameter key: The idempotency key. A repeated call with the same idempotency key has no
  ///   effect. If the idempotency key is nil, every call increases the number of check-ins.
  @discardableResult
  func incrementCheckIn(
    challengeId: String, userId: String, key: String?
  ) async throws -> WorkoutAnswer

  /// Sets the actor's streak, provided that the server does not derive streaks from workouts.
  ///
  /// - Throws: `streakIsDerived` if the server derives streaks from workouts.
  @discardableResult
  func updateStreak(
    challengeId: String, userId: String, streakDays: Int
  ) async throws -> WorkoutAnswer
}

extension LeaderboardRepository {
  /// Returns the most recently published entries of a current or earlier board, in display order.
  ///
  /// ```swift
  /// let lastWeek = Week(containing: Date().addingTimeInterval(-7 * 86_400))
  /// let entries = try await boards.entries(groupId: group.id, week: lastWeek, type: .streak)
  /// ```
  ///
  /// - Throws: `challengeNotFound` if the group has no board of this type in this week.
  public func entries(
    groupId: String, week: Week, type: ChallengeType
  ) async throws -> [LeaderboardEntry] {
    try await entries(of: ChallengeID(groupId: groupId, week: week, type: type).description)
  }

  /// Increases the actor's number of check-ins by one with every call, including repeated calls.
  @discardableResult
  public func incrementCheckIn(challengeId: String, userId: String) async throws -> WorkoutAnswer {
    try await incrementCheckIn(challengeId: challengeId, userId: userId, key: nil)
  }

  /// Returns only the snapshots of `observeUpdates`, for callers that do not need to know why the
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

/// Reads the actor's notifications, and marks notifications as read.
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

/// Reports events from the actor's phones, and returns whether beta features are enabled for the
/// actor.
public protocol AnalyticsRepository: Sendable {
  /// Counts an event.
  ///
  /// Repeated reports with the same id are counted once. An event beyond the daily limit is not
  /// counted, so repeating the call on the same day cannot succeed.
  ///
  /// - Returns: False if the actor's phones have reached the limit of reports for one UTC day.
  /// - Throws: `invalidInput` for a time below 0 or above ``ClientEvent/longestFetch``.
  @discardableResult
  func report(_ event: ClientEvent) async throws -> Bool

  /// Returns whether beta features are enabled for the actor.
  ///
  /// Beta features stay enabled for a user unless an operator reduces the share of beta users.
  func isBeta() async throws -> Bool
}

/// Blocks and reports other users.
///
/// The section "Blocks and reports" in docs/gymrats/groups.md describes the rules.
public protocol SafetyRepository: Sendable {
  /// Blocks a user, or does nothing if the user is already blocked.
  ///
  /// - Throws: `notAMember` if the actor and the user were never members of the same group, and
  ///   `limitReached` if the actor has blocked too many users.
  func block(userId: String) async throws

  /// Ends a block, or does nothing if the user is not blocked.
  func unblock(userId: String) async throws

  /// Returns the users whom the actor has blocked, newest block first.
  func blockedUsers() async throws -> [BlockedUser]

  /// Reports a user to the service's operators.
  ///
  /// A repeated call with the same report has no effect.
  ///
  /// - Throws: `notAMember` if one of the two users was never a member of the report's group, and
  ///   `limitReached` if the actor has sent too many reports within an hour.
  func report(_ report: UserReport) async throws
}

/// Calls that only the server, and not an app, can make.
public protocol ServerRepository: Sendable {
  /// Makes a user a member of a group.
  ///
  /// The group must not be full, and the user must not be in another group. If the user has no
  /// account, an account is created with the given name and photo. An existing account is not
  /// changed.
  func addMember(groupId: String, userId: String, displayName: String, photoURL: URL?) async throws

  /// Sends a notification to a user, who can see the notification until it expires.
  ///
  /// The notification's id makes the call idempotent, so a repeated call does not send a second
  /// notification. The stored notification gets a new id from the server.
  ///
  /// - Throws: `invalidInput` for types of notifications that only jobs send.
  func createNotification(_ notification: GroupNotification) async throws
}
