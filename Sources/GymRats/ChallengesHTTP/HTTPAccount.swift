import Challenges
import Foundation

/// Reads and changes the user's account over HTTP.
struct HTTPUsers: UserRepository {
  let calls: HTTPCalls

  func getUser(_ userId: String) async throws -> SocialUser? {
    let user = try await account()
    return user.id.utf8.elementsEqual(userId.utf8) ? user : nil
  }

  func updateCurrentGroup(userId: String, groupId: String?) async throws {
    try calls.signedIn(as: userId)
    switch (try await account().currentGroupId, groupId) {
    case (nil, nil): return
    case (let current?, let group?) where current.utf8.elementsEqual(group.utf8): return
    case (let current, nil): throw DomainError.alreadyInGroup(groupId: current)
    default: throw DomainError.notAMember
    }
  }

  func updatePrivacySettings(userId: String, settings: PrivacySettings) async throws {
    try calls.signedIn(as: userId)
    try await calls.run("PUT", ["me", "privacy"], sends: settings)
  }

  func updateProfile(userId: String, displayName: String, photoURL: URL?) async throws {
    try calls.signedIn(as: userId)
    try await calls.run(
      "PUT", ["me", "profile"],
      sends: Profile(displayName: displayName, photoURL: photoURL?.absoluteString))
  }

  func deleteAccount(_ userId: String) async throws {
    try calls.signedIn(as: userId)
    try await calls.run("DELETE", ["me"])
  }

  private func account() async throws -> SocialUser {
    try calls.signedIn()
    return try await calls.read(SocialUser.self, "GET", ["me"])
  }

  private struct Profile: Encodable {
    let displayName: String
    let photoURL: String?
  }
}

/// Reads the user's notifications over HTTP and marks them as read.
struct HTTPInbox: NotificationRepository {
  /// The maximum number of ids in a request.
  private static let mostIds = 1_000

  let calls: HTTPCalls

  func fetchNotifications(
    after last: GroupNotification?, limit: Int
  ) async throws -> [GroupNotification] {
    try calls.signedIn()
    var before: String?
    if let last {
      guard let position = PagePosition(time: last.createdAt, id: last.id) else {
        throw DomainError.invalidInput
      }
      before = position.text
    }
    return try await calls.read(
      Page.self, "GET", ["notifications"], query: ["before": before, "limit": "\(limit)"]
    ).notifications
  }

  func badgeCount() async throws -> Int {
    try calls.signedIn()
    return try await calls.read(Badge.self, "GET", ["notifications", "badge"]).count
  }

  func observeBadge() -> AsyncStream<Result<Int, DomainError>> {
    calls.follow(["notifications", "badge"]) { try HTTPCalls.decoded(Badge.self, $0).count }
  }

  func markAsRead(_ notificationIds: [String]) async throws {
    try calls.signedIn()
    // If a request fails, the notifications from earlier requests stay marked as read.
    let ids = notificationIds.filter { 1...256 ~= $0.utf8.count }
    for start in stride(from: 0, to: ids.count, by: Self.mostIds) {
      let part = Array(ids[start..<min(start + Self.mostIds, ids.count)])
      try await calls.run("POST", ["notifications", "read"], sends: ["ids": part])
    }
  }

  private struct Page: Decodable { let notifications: [GroupNotification] }
  private struct Badge: Decodable { let count: Int }
}

/// Reports the events of the user's phones over HTTP.
struct HTTPAnalytics: AnalyticsRepository {
  let calls: HTTPCalls

  func report(_ event: ClientEvent) async throws -> Bool {
    try calls.signedIn()
    let (kind, milliseconds): (String, Int?) =
      switch event.kind {
      case .writeFailed: ("writeFailed", nil)
      case .linkFailed: ("linkFailed", nil)
      case .boardFetched(let milliseconds): ("boardFetched", milliseconds)
      }
    return try await calls.read(
      Stored.self, "POST", ["events"],
      sends: Event(id: event.id, kind: kind, milliseconds: milliseconds)
    ).isStored
  }

  func isBeta() async throws -> Bool {
    try calls.signedIn()
    return try await calls.read(Beta.self, "GET", ["me", "beta"]).isBeta
  }

  private struct Event: Encodable {
    let id: UUID
    let kind: String
    let milliseconds: Int?
  }

  private struct Stored: Decodable { let isStored: Bool }
  private struct Beta: Decodable { let isBeta: Bool }
}
