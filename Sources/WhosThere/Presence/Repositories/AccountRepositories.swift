public import ProductKit

// Each repository belongs to one actor, who may or may not be signed in. If a call is rejected or
// the connection fails, the call throws an `AppError`. If a call is repeated after an error, it
// takes effect only once.

/// Signs the user in and out, and returns the signed-in user.
public protocol AuthRepository: Sendable {
  /// Returns the signed-in user, or nil if no user is signed in.
  func currentUser() async throws(AppError) -> User?

  /// Signs the user in, creating the account on the first sign-in with a credential.
  func signIn(_ credential: Credential) async throws(AppError) -> User

  /// Links a credential to an anonymous account to make the account permanent.
  ///
  /// If the credential already belongs to an account, the anonymous user's data is merged into the
  /// existing account. After the merge, the user is signed in to the existing account.
  func link(_ credential: Credential) async throws(AppError) -> User

  /// Ends this device's session, or does nothing if no user is signed in.
  func signOut() async throws(AppError)

  /// Ends the user's sessions on all devices.
  func signOutEverywhere() async throws(AppError)
}

/// Reads and changes the actor's account, and reads the names and photos of other members.
public protocol UserRepository: Sendable {
  /// Returns the actor's account, or nil if the id belongs to another user.
  func getUser(_ userId: String) async throws(AppError) -> User?

  /// Returns the names and photos of users who share a group with the actor.
  ///
  /// Ids of users who do not share a group with the actor are ignored.
  func getUsers(_ userIds: [String]) async throws(AppError) -> [User]

  /// Changes the actor's name, photo and time zone.
  ///
  /// - Returns: The account after the change. If a value has changed, the account's version has
  ///   increased.
  func updateUser(_ user: User) async throws(AppError) -> User

  /// Deletes the account.
  ///
  /// The user's messages are kept, but no longer contain the user's id.
  func deleteAccount() async throws(AppError)
}

/// Blocks and reports other users.
///
/// The section "Blocks and reports" in docs/whosthere/rules.md describes the rules.
public protocol SafetyRepository: Sendable {
  /// Blocks a user, or does nothing if the user is already blocked.
  ///
  /// - Throws: `notAMember` if the actor and the user have no group in common. `limitReached` if
  ///   the actor has blocked too many users.
  func block(userId: String) async throws(AppError)

  /// Ends a block, or does nothing if the user is not blocked.
  func unblock(userId: String) async throws(AppError)

  /// Returns the users whom the actor has blocked, newest block first.
  func blockedUsers() async throws(AppError) -> [BlockedUser]

  /// Reports a user or a message to the service's operators.
  ///
  /// A repeated call with the same report has no effect.
  ///
  /// - Throws: `notAMember` if the actor or the reported user has never been in the report's group.
  ///   `limitReached` if the actor has sent too many reports within an hour.
  func report(_ report: UserReport) async throws(AppError)
}

/// Reads the actor's statistics and achievements.
public protocol AchievementRepository: Sendable {
  /// Returns the actor's statistics.
  func stats() async throws(AppError) -> UserStats

  /// Returns the actor's unlocked achievements, oldest first.
  func earned() async throws(AppError) -> [UserAchievement]

  /// Returns the actor's progress toward each achievement.
  func progress() async throws(AppError) -> [AchievementProgress]

  /// Records that the app has shown the given achievements to the actor.
  ///
  /// Achievements that the actor has not unlocked are ignored.
  func acknowledge(_ types: [AchievementType]) async throws(AppError)
}

/// Reads the data that a watch shows if the phone is not available.
public protocol WatchRepository: Sendable {
  /// Returns a payload with as many of the actor's groups as fit into it.
  func payload() async throws(AppError) -> WatchPayload
}
