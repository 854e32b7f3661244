import BatonPostgres
import Foundation
import Presence
import PresenceSQL
import ProductPostgres

/// Reads and changes the actor's account in PostgreSQL.
struct PostgresUsers: UserRepository {
  let calls: ActorCalls

  func getUser(_ userId: String) async throws(AppError) -> User? {
    let actor = try calls.signedIn
    let user = try await calls.run(
      .row(SQL.Api.getUser, actor) { (row) throws(PostgresError) in try row.user() })
    return userId.utf8.elementsEqual(actor.utf8) ? user : nil
  }

  func getUsers(_ userIds: [String]) async throws(AppError) -> [User] {
    try await calls.run(
      .rows(SQL.Api.getUsers, try calls.signedIn, userIds) { (row) throws(PostgresError) in
        let (id, name, photo, version) = try row.decode(
          String.self, String.self, String?.self, Int64.self)
        return User(
          id: id, displayName: name, photoURL: photo?.asPhotoURL, version: version,
          createdAt: .distantPast)
      })
  }

  func updateUser(_ user: User) async throws(AppError) -> User {
    let actor = try calls.signedIn
    guard user.id.utf8.elementsEqual(actor.utf8) else { throw .notAuthenticated }
    return try await calls.run(
      .row(
        SQL.Api.updateProfile, actor, user.displayName, user.photoURL?.absoluteString,
        user.timeZone
      ) { (row) throws(PostgresError) in try row.user() })
  }

  func deleteAccount() async throws(AppError) {
    try await calls.run(.run(SQL.Api.deleteAccount, try calls.signedIn))
  }
}
