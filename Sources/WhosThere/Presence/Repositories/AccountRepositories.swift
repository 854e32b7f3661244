// Each repository is made for one actor, who is signed in or not. A refused call and a failed connection both throw
// an `AppError`. Repeating a call after it does nothing twice.

/// The signed-in user, and signing in and out.
public protocol AuthRepository: Sendable {
  /// The user; nil: no user is signed in.
  func currentUser() async throws(AppError) -> User?

  /// Signs in; the first time with a credential makes the account.
  func signIn(_ credential: Credential) async throws(AppError) -> User

  /// Makes an anonymous user a lasting account.
  ///
  /// If the account already exists, the anonymous user's data moves to it, and the existing account is signed in then.
  func link(_ credential: Credential) async throws(AppError) -> User

  /// Ends this device's session; does nothing if no user is signed in.
  func signOut() async throws(AppError)

  /// Ends the sessions of all of the user's devices.
  func signOutEverywhere() async throws(AppError)
}

/// The actor's own account, and what they may know of others.
public protocol UserRepository: Sendable {
  /// The actor's account; nil for the id of another user.
  func getUser(_ userId: String) async throws(AppError) -> User?

  /// Users who share a group with the actor, with name and picture only; other ids are left out.
  func getUsers(_ userIds: [String]) async throws(AppError) -> [User]

  /// Changes name, picture and time zone of the actor.
  ///
  /// - Returns: the account, with a higher version where something was changed.
  func updateUser(_ user: User) async throws(AppError) -> User

  /// Ends the account; what it wrote stays without its name.
  func deleteAccount() async throws(AppError)
}

/// What the actor has done and achieved.
public protocol AchievementRepository: Sendable {
  /// The actor's numbers.
  func stats() async throws(AppError) -> UserStats

  /// What the actor has achieved, oldest first.
  func earned() async throws(AppError) -> [UserAchievement]

  /// How far the actor has come with each achievement.
  func progress() async throws(AppError) -> [AchievementProgress]

  /// Records that the actor was shown these; achievements that they do not have are ignored.
  func acknowledge(_ types: [AchievementType]) async throws(AppError)
}

/// What a watch shows without its phone.
public protocol WatchRepository: Sendable {
  /// The actor's groups, as many as fit.
  func payload() async throws(AppError) -> WatchPayload
}
