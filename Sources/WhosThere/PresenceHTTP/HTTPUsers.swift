import Foundation
import Presence

/// Reads and changes the user's account over HTTP.
struct HTTPUsers: UserRepository {
  /// The maximum number of ids in a request.
  private static let mostIds = 100

  let calls: HTTPCalls

  func getUser(_ userId: String) async throws(AppError) -> User? {
    let user = try await calls.read(User.self, "GET", ["me"])
    return user.id.utf8.elementsEqual(userId.utf8) ? user : nil
  }

  func getUsers(_ userIds: [String]) async throws(AppError) -> [User] {
    try calls.signedIn()
    let ids = userIds.filter { 1...256 ~= $0.utf8.count }
    var users: [User] = []
    for start in stride(from: 0, to: ids.count, by: Self.mostIds) {
      let part = Array(ids[start..<min(start + Self.mostIds, ids.count)])
      users += try await calls.read(
        [VisibleUser].self, "POST", ["users", "find"], sends: ["ids": part]
      ).map(\.user)
    }
    return users
  }

  func updateUser(_ user: User) async throws(AppError) -> User {
    guard user.id.utf8.elementsEqual(try calls.signedIn().utf8) else { throw .notAuthenticated }
    let profile = Profile(
      displayName: user.displayName, photoURL: user.photoURL?.absoluteString,
      timeZone: user.timeZone)
    return try await calls.read(User.self, "PUT", ["me", "profile"], sends: profile)
  }

  func deleteAccount() async throws(AppError) { try await calls.run("DELETE", ["me"]) }

  private struct Profile: Encodable {
    let displayName: String
    let photoURL: String?
    let timeZone: String?
  }

  private struct VisibleUser: Decodable {
    let id: String
    let displayName: String
    let photoURL: URL?
    let version: Int64

    var user: User {
      User(
        id: id, displayName: displayName, photoURL: photoURL, version: version,
        createdAt: .distantPast)
    }
  }
}

/// Reads the user's statistics and achievements over HTTP.
struct HTTPAchievements: AchievementRepository {
  let calls: HTTPCalls

  func stats() async throws(AppError) -> UserStats {
    try await calls.read(UserStats.self, "GET", ["me", "stats"])
  }

  func earned() async throws(AppError) -> [UserAchievement] {
    try await calls.read([UserAchievement].self, "GET", ["me", "achievements"])
  }

  func progress() async throws(AppError) -> [AchievementProgress] {
    try await calls.read([AchievementProgress].self, "GET", ["me", "achievements", "progress"])
  }

  func acknowledge(_ types: [AchievementType]) async throws(AppError) {
    try await calls.run("POST", ["me", "achievements", "acknowledge"], sends: ["types": types])
  }
}

/// Reads a watch's data over HTTP.
struct HTTPWatch: WatchRepository {
  let calls: HTTPCalls

  func payload() async throws(AppError) -> WatchPayload {
    try await calls.read(WatchPayload.self, "GET", ["me", "watch"])
  }
}
