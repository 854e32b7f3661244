public import Foundation

// Each repository is made for one actor, who is signed in or not. A call in another user's name is
// `DomainError.notAuthenticated`. What is refused is a `DomainError`; what failed on the way is
// `DomainError.networkUnavailable`; a call that is made again after it does nothing twice.

/// Who is signed in.
public protocol AuthenticationRepository: Sendable {
  /// The user; nil: nobody is signed in.
  func currentUser() async throws -> SocialUser?

  /// Signs in with an address and a password, which go to the provider of identities alone.
  ///
  /// - Throws: `AuthError.invalidCredential` where they do not fit.
  func signInWithEmail(_ email: String, password: String) async throws -> SocialUser

  /// Forgets who is signed in; nothing happens where nobody is.
  func signOut() async throws
}

/// The actor's own account.
public protocol UserRepository: Sendable {
  /// The actor's account; nil for anybody else's.
  func getUser(_ userId: String) async throws -> SocialUser?

  /// Says which group the user is in, which has to be so already.
  ///
  /// Joining and leaving change it. This is kept for callers of before, and writes nothing.
  ///
  /// - Throws: `notAMember` where the user is not in the group, `alreadyInGroup` where nil is said of one
  ///   who is.
  func updateCurrentGroup(userId: String, groupId: String?) async throws

  /// Changes what the actor shares; boards follow, and nobody is told.
  func updatePrivacySettings(userId: String, settings: PrivacySettings) async throws
}

/// Groups and who is in them.
public protocol GroupRepository: Sendable {
  /// Makes a group with its first member, an admin. The same call again answers the same group.
  func createGroup(id: String, name: String, ownerId: String) async throws -> Group

  /// A group that the actor is in; nil for any other.
  func getGroup(_ groupId: String) async throws -> Group?

  /// Removes another member; for admins.
  func removeMember(groupId: String, userId: String) async throws

  /// Leaves. An admin who was the only one leaves that to the member of longest standing.
  func leaveGroup(groupId: String, userId: String) async throws

  /// Ends the group for all of its members; for admins.
  func deleteGroup(_ groupId: String) async throws

  /// The members, by joining.
  func getMembers(groupId: String) async throws -> [GroupMember]

  /// Makes another member an admin too; for admins.
  func promote(groupId: String, userId: String) async throws
}

extension GroupRepository {
  /// Makes a group with an id that nobody has.
  public func createGroup(name: String, ownerId: String) async throws -> Group {
    try await createGroup(id: UUID().uuidString.lowercased(), name: name, ownerId: ownerId)
  }
}

/// Ways into groups.
public protocol InviteRepository: Sendable {
  /// Makes an invite into a group that the actor is in; the same call again answers the same.
  ///
  /// - Parameter code: 32 hexadecimal digits that nobody can guess, as `InviteCode.random()` has them.
  func createInvite(groupId: String, code: InviteCode) async throws -> Invite

  /// Ends an invite before its time; for whoever made it, and for admins.
  func revokeInvite(_ inviteId: String) async throws

  /// What a group looks like from outside.
  func previewInvite(_ code: InviteCode) async throws -> InvitePreview

  /// Joins the group that an invite leads into.
  func joinGroup(_ code: InviteCode) async throws -> Group
}

extension InviteRepository {
  /// Makes an invite with a code that nobody has.
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

  /// The board now, then after each visible change; what a slow reader missed is left out.
  ///
  /// It goes over to the next week by itself. An error that is retryable says that snapshots may be late
  /// and goes before others; any other is the last element. A stream that ends without one was cancelled.
  func observeUpdates(
    groupId: String, type: ChallengeType
  ) -> AsyncStream<Result<LeaderboardSnapshot, DomainError>>

  /// Adds one to the actor's check-ins.
  ///
  /// - Parameter key: by which a repeated call adds nothing; nil: each call adds one.
  @discardableResult
  func incrementCheckIn(
    challengeId: String, userId: String, key: String?
  ) async throws -> WorkoutAnswer

  /// Sets the actor's streak where it is not derived from workouts.
  ///
  /// - Throws: `streakIsDerived` where it is.
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

  /// The snapshots of `observeUpdates`, for whoever does not care why there are no more.
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

/// What the actor is told.
public protocol NotificationRepository: Sendable {
  /// What is visible, newest first.
  ///
  /// - Parameter last: the last one of the page before; nil: begin.
  func fetchNotifications(
    after last: GroupNotification?, limit: Int
  ) async throws -> [GroupNotification]

  /// How many are visible and unread.
  func badgeCount() async throws -> Int

  /// Marks the actor's own as read; others' and what is not there are passed over.
  func markAsRead(_ notificationIds: [String]) async throws
}

/// What the actor's phones report of themselves, and what is tried out on them.
public protocol AnalyticsRepository: Sendable {
  /// Counts an event; the same id again counts once.
  ///
  /// - Returns: false where the actor's phones have reported as many as they may on one UTC day: it was not
  ///   counted, and another try does not help.
  /// - Throws: `invalidInput` for a time below 0 or above ``ClientEvent/longestFetch``.
  @discardableResult
  func report(_ event: ClientEvent) async throws -> Bool

  /// Whether the actor is one of those for whom a beta is on: for as long as its share of users does not shrink.
  func isBeta() async throws -> Bool
}

/// What only the server may do: no app has it.
public protocol ServerRepository: Sendable {
  /// Makes somebody a member, within the group's cap and theirs of one group.
  ///
  /// Name and photo are those of an account that is made here; one that is there keeps its own.
  func addMember(groupId: String, userId: String, displayName: String, photoURL: URL?) async throws

  /// Tells somebody something, from now on for as long as notifications live.
  ///
  /// The id is the key by which a repeated call tells nothing; the notification gets one of its own.
  ///
  /// - Throws: `invalidInput` for types that jobs tell of.
  func createNotification(_ notification: GroupNotification) async throws
}
