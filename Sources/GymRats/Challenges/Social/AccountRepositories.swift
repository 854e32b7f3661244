public import Foundation
public import ProductKit

// Each repository makes its calls for one user, the actor, who may or may not be signed in. A
// rejected call throws a `DomainError` with the reason for the rejection. For example, a call with
// another user's id throws `DomainError.notAuthenticated`. If the connection fails, the call throws
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

  /// Checks whether the user is in the given group, without changing anything.
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
  /// Deleting the account also removes the actor from the actor's group. Closed boards keep the
  /// actor's rank, but not the name. After the account is deleted, all calls throw
  /// `notAuthenticated`.
  func deleteAccount(_ userId: String) async throws
}

/// Reports events from the actor's phones, and returns whether beta features are enabled for the
/// actor.
public protocol AnalyticsRepository: Sendable {
  /// Counts an event.
  ///
  /// Repeated reports with the same id are counted once. An event beyond the daily limit is not
  /// counted, even if the call is repeated on the same day.
  ///
  /// - Returns: False if the actor's phones have reached the limit on reports per UTC day.
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
  /// - Throws: `notAMember` if the actor and the user have never been members of the same group,
  ///   and `limitReached` if the actor has blocked too many users.
  func block(userId: String) async throws

  /// Ends a block, or does nothing if the user is not blocked.
  func unblock(userId: String) async throws

  /// Returns the users whom the actor has blocked, newest block first.
  func blockedUsers() async throws -> [BlockedUser]

  /// Reports a user to the service's operators.
  ///
  /// A repeated call with the same report has no effect.
  ///
  /// - Throws: `notAMember` if the actor or the reported user has never been in the report's group.
  ///   `limitReached` if the actor has sent too many reports within an hour.
  func report(_ report: UserReport) async throws
}
