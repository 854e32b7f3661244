// AccountRepositories.swift describes the rules of all repositories.

/// Records and deletes the actor's workouts.
public protocol WorkoutRepository: Sendable {
  /// Records a new workout, an edited workout or a workout that is sent again.
  func recordWorkout(_ entry: WorkoutHistoryEntry) async throws -> WorkoutAnswer

  /// Deletes a workout.
  ///
  /// - Parameter revision: A revision higher than the workout's recorded revision.
  func deleteWorkout(_ workoutId: String, revision: Int) async throws -> WorkoutAnswer
}

/// Reads boards, and changes check-in counts and streaks without a workout.
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
  /// A slow reader receives only the latest snapshot. When a week ends, the stream continues with
  /// the next week's board. After a retryable error, the stream continues, but snapshots may arrive
  /// late. An error that is not retryable is the last element of the stream. The stream ends
  /// without an error only if the task that reads it was cancelled.
  func observeUpdates(
    groupId: String, type: ChallengeType
  ) -> AsyncStream<Result<LeaderboardSnapshot, DomainError>>

  /// Increases the actor's check-in count by one.
  ///
  /// - Parameter key: The idempotency key. A repeated call with the same idempotency key has no
  ///   effect. If the key is nil, every call increases the check-in count.
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

  /// Increases the actor's check-in count by one with every call, including repeated calls.
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
