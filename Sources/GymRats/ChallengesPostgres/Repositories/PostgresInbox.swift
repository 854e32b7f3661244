import BatonPostgres
import Challenges
import ChallengesSQL
import Foundation
import ProductPostgres

/// Reads the actor's notifications from PostgreSQL and marks them as read.
struct PostgresInbox: NotificationRepository {
  let calls: ActorCalls

  func fetchNotifications(
    after last: GroupNotification?, limit: Int
  ) async throws -> [GroupNotification] {
    var before: (time: Timestamp, id: Int64)?
    if let last {
      guard let id = Int64(last.id) else { throw DomainError.invalidInput }
      before = (try Timestamp(last.createdAt), id)
    }
    return try await calls.notifications(before: before, limit: limit)
  }

  func badgeCount() async throws -> Int {
    let count: Int32 = try await calls.run(
      .row(SQL.Api.badge, try calls.signedIn()) { (row) throws(PostgresError) in
        try row.decode(Int32.self)
      })
    return Int(count)
  }

  func markAsRead(_ notificationIds: [String]) async throws {
    let actor = try calls.signedIn()
    // A string that is not a number cannot be a notification's id.
    let ids = notificationIds.compactMap { Int64($0) }
    // If a call fails, the notifications from earlier calls stay marked as read.
    for start in stride(from: 0, to: ids.count, by: 1_000) {
      let part = Array(ids[start..<min(start + 1_000, ids.count)])
      try await calls.run(.run(SQL.Api.markRead, actor, part))
    }
  }
}

extension ActorCalls {
  /// Returns the actor's notifications before a position, newest first.
  func notifications(
    before: (time: Timestamp, id: Int64)?, limit: Int
  ) async throws -> [GroupNotification] {
    let actor = try signedIn()
    return try await run(
      .rows(
        SQL.Api.notifications, actor, before?.time, before?.id, try limit.asParameter
      ) { (row) throws(PostgresError) in
        let (id, createdAt, expiresAt, group, type, message, _, isRead) = try row.decode(
          Int64.self, Timestamp.self, Timestamp.self, String.self, String.self, String.self,
          String?.self, Bool.self)
        return GroupNotification(
          id: String(id), userId: actor, groupId: group,
          type: try known(NotificationType(rawValue: type), "notification of type \(type)"),
          message: message, isRead: isRead, createdAt: createdAt.date, expiresAt: expiresAt.date)
      })
  }
}

/// Executes the calls that only the server can make.
struct PostgresServer: ServerRepository {
  let database: ChallengesDatabase

  func addMember(
    groupId: String, userId: String, displayName: String, photoURL: URL?
  ) async throws {
    try await database.run(
      .run(SQL.Api.addMember, groupId, userId, displayName, photoURL?.absoluteString),
      for: nil)
  }

  func createNotification(_ notification: GroupNotification) async throws {
    // Only jobs create notifications about ranks and weeks.
    guard notification.type == .newMember else { throw DomainError.invalidInput }
    try await database.run(
      .run(
        SQL.Api.createNotification, notification.id, notification.userId, notification.groupId,
        notification.message),
      for: nil)
  }
}
