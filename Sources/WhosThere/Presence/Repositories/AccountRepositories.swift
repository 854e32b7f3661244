// Each repository is made for one actor, who is signed in or not. What is refused, and what failed on the way,
// is an `AppError`; a call that is made again after it does nothing twice.

/// Who is signed in.
public protocol AuthRepository: Sendable {
  /// The user; nil: nobody is signed in.
  func currentUser() async throws(AppError) -> User?

  /// Signs in; the first time with a credential makes the account.
  func signIn(_ credential: Credential) async throws(AppError) -> User

  /// Makes an anonymous user a lasting account.
  ///
  /// Where the account is there already, what the anonymous user did goes over to it, and it is who is signed
  /// in then.
  func link(_ credential: Credential) async throws(AppError) -> User

  /// Ends this device's session; nothing happens where nobody is signed in.
  func signOut() async throws(AppError)

  /// Ends the sessions of all of the user's devices.
  func signOutEverywhere() async throws(AppError)
}

/// The actor's own account, and what they may know of others.
public protocol UserRepository: Sendable {
  /// The actor's account; nil for anybody else's.
  func getUser(_ userId: String) async throws(AppError) -> User?

  /// Users with whom the actor shares a group, with name and picture alone; others are left out.
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

  /// Says that the actor was shown these; what they have not achieved is passed over.
  func acknowledge(_ types: [AchievementType]) async throws(AppError)
}

/// What a watch shows without its phone.
public protocol WatchRepository: Sendable {
  /// The actor's groups, as many as fit.
  func payload() async throws(AppError) -> WatchPayload
}
