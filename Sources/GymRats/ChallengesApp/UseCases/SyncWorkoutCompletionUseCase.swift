public import Challenges

/// Tells the server of a completed workout, where its user shares workouts.
///
/// The server derives both boards and the streak from it: there is nothing else to call.
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
  ///   - userId: whose it is; nil: of whoever is signed in. Somebody else's is not sent.
  /// - Returns: what became of it, which is final.
  /// - Throws: what may be tried again, or a `DomainError` that says why not.
  public func execute(
    entry: WorkoutHistoryEntry, of userId: String? = nil
  ) async throws -> WorkoutOutcome {
    let user = try await user(userId)
    // Before anything leaves the phone. The server has the same gate behind it.
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
