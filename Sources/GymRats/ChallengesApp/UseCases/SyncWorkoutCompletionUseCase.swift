public import Challenges

/// Sends a completed workout to the server, if its user shares workouts.
///
/// The server derives both boards and the streak from it, so no other call is needed.
public struct SyncWorkoutCompletionUseCase: Sendable {
  private let authentication: any AuthenticationRepository
  private let workouts: any WorkoutRepository

  /// Over repositories of one actor.
  public init(authentication: any AuthenticationRepository, workouts: any WorkoutRepository) {
    self.authentication = authentication
    self.workouts = workouts
  }

  /// Records a workout.
  ///
  /// - Parameters:
  ///   - entry: the workout.
  ///   - userId: the workout's owner; nil: the signed-in user. A workout of another user is not sent.
  /// - Returns: what became of it, which is final.
  /// - Throws: an error after which the call may be tried again, or a `DomainError` that gives the reason.
  public func execute(
    entry: WorkoutHistoryEntry, of userId: String? = nil
  ) async throws -> WorkoutOutcome {
    let user = try await user(userId)
    // Checked before data leaves the phone. The server checks the same again.
    guard user.privacySettings.shareWorkoutData else { return .ignoredPrivacy }
    return try await workouts.recordWorkout(entry).outcome
  }

  /// Takes a workout back, whether its user still shares others or not.
  ///
  /// - Parameter revision: higher than the recorded one.
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
