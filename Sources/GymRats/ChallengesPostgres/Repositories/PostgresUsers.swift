import BatonPostgres
import Challenges
import ChallengesSQL
import Foundation
import ProductPostgres

/// Reads and changes the actor's account in PostgreSQL.
struct PostgresUsers: UserRepository {
  let calls: ActorCalls

  func getUser(_ userId: String) async throws -> SocialUser? {
    let user = try await account()
    return user.id.hasSameBytes(as: userId) ? user : nil
  }

  func updateCurrentGroup(userId: String, groupId: String?) async throws {
    _ = try calls.signedIn(as: userId)
    switch (try await account().currentGroupId, groupId) {
    case (nil, nil): return
    case (let current?, let group?) where current.hasSameBytes(as: group): return
    case (let current, nil): throw DomainError.alreadyInGroup(groupId: current)
    default: throw DomainError.notAMember
    }
  }

  func updatePrivacySettings(userId: String, settings: PrivacySettings) async throws {
    let actor = try calls.signedIn(as: userId)
    try await calls.run(
      .run(SQL.Api.updatePrivacySettings, actor, settings.shareWorkoutData))
  }

  func updateProfile(userId: String, displayName: String, photoURL: URL?) async throws {
    _ = try calls.signedIn(as: userId)
    try await calls.updateProfile(displayName: displayName, photoURL: photoURL?.absoluteString)
  }

  func deleteAccount(_ userId: String) async throws {
    try await calls.run(.run(SQL.Api.deleteAccount, try calls.signedIn(as: userId)))
  }

  private func account() async throws -> SocialUser {
    let actor = try calls.signedIn()
    return try await calls.run(
      .row(SQL.Api.getUser, actor) { (row) throws(PostgresError) in try row.user() })
  }
}

extension ActorCalls {
  /// Replaces the actor's name and photo.
  func updateProfile(displayName: String, photoURL: String?) async throws {
    try await run(.run(SQL.Api.updateProfile, try signedIn(), displayName, photoURL))
  }
}

extension Row {
  /// Decodes a user with the data that only the user can see.
  func user() throws(PostgresError) -> SocialUser {
    let (id, name, email, photo, provider, group, shares, _, asksForName, createdAt) =
      try decode(
        String.self, String.self, String?.self, String?.self, String.self, String?.self,
        Bool.self, String?.self, Bool.self, Timestamp.self)
    return SocialUser(
      id: id, displayName: name, asksForName: asksForName, email: email,
      photoURL: photo?.asPhotoURL,
      authProvider: try known(AuthProvider(rawValue: provider), "provider \(provider)"),
      currentGroupId: group, privacySettings: PrivacySettings(shareWorkoutData: shares),
      createdAt: createdAt.date)
  }
}
