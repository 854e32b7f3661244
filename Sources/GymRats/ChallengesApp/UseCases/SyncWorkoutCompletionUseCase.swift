public import Challenges

/// Sends a completed workout to the server, if the user shares workouts.
///
/// The server derives the values on the check-in and streak boards from the workout, so no other
/// calls are needed.
public struct SyncWorkoutCompletionUseCase: Sendable {
  private let authentication: any AuthenticationRepository
  private let workouts: any WorkoutRepository

  /// Creates the use case with the repositories of one actor.
  public init(authentication: any AuthenticationRepository, workouts: any WorkoutRepository) {
    self.authentication = authentication
    self.workouts = workouts
  }

  /// Records a workout.
  ///
  /// - Parameters:
  ///   - entry: The workout.
  ///   - userId: The workout's owner, or nil for the signed-in user. Another user's workout is not
  ///     sent.
  /// - Returns: The final outcome of the workout.
  /// - Throws: A `DomainError` that names the reason for the failure, or any other error. After any
  ///   other error, the call may be repeated.
  public func execute(
    entry: WorkoutHistoryEntry, of userId: String? = nil
  ) async throws -> WorkoutOutcome {
    let user = try await user(userId)
    // The app checks the privacy setting before sending data, and the server checks it again.
    guard user.privacySettings.shareWorkoutData else { return .ignoredPrivacy }
    return try await workouts.recordWorkout(entry).outcome
  }

  /// Deletes a workout, whether or not the user still shares workouts.
  ///
  /// - Parameter revision: A revision higher than the workout's recorded revision.
  public func delete(
    workoutId: String, revision: Int, of userId: String? = nil
  ) async throws -> WorkoutOutcome {
    _ = try await user(userId)
    return try await workouts.deleteWorkout(workoutId, revision: revision).outcome
  }

  private func user(_ expected: String?) async throws -> SocialUser {
    guard let user = try await authentication.currentUser(),
      expected.map({ $0.utf8.elementsEqual(user.id.utf8) }) ?? true
    else { throw DomainError.notAuthenticated }
    return user
  }
}
