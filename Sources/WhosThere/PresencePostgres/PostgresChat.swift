import BatonPostgres
public import Foundation
public import Presence
import PresenceSQL

/// Sends, reads and deletes messages in PostgreSQL.
public struct PostgresChat: Sendable {
  let calls: ActorCalls

  /// Sends a checked draft.
  ///
  /// If a draft is sent again with the same id, only one message is stored.
  public func send(_ draft: MessageDraft) async throws(AppError) -> Message {
    try await calls.run(
      .row(
        SQL.Api.sendMessage, try calls.signedIn, draft.groupId, draft.id, draft.text,
        decode: Self.message))
  }

  /// Returns one page of a group's messages, newest first.
  ///
  /// - Parameters:
  ///   - last: The last message of the previous page, or nil for the newest page.
  ///   - limit: The number of messages, up to 100.
  public func history(
    of groupId: String, after last: Message?, limit: Int
  ) async throws(AppError) -> [Message] {
    try await messages(of: groupId, before: last.map { (time: $0.sentAt, id: $0.id) }, limit: limit)
  }

  /// Returns up to `limit` messages before a position, newest first.
  package func messages(
    of groupId: String, before last: (time: Date, id: UUID)?, limit: Int
  ) async throws(AppError) -> [Message] {
    guard let limit = Int32(exactly: limit) else { throw .invalidInput("a page of \(limit)") }
    var before: Timestamp?
    if let last { before = try Timestamp(last.time) }
    return try await calls.run(
      .rows(
        SQL.Api.messages, try calls.signedIn, groupId, before, last?.id, limit,
        decode: Self.message))
  }

  /// Deletes a message.
  ///
  /// Only the message's author and the group's admins may call this method.
  public func deleteMessage(_ messageId: UUID, groupId: String) async throws(AppError) {
    try await calls.run(.run(SQL.Api.deleteMessage, try calls.signedIn, groupId, messageId))
  }

  private static func message(_ row: Row) throws(PostgresError) -> Message {
    let (id, group, user, text, sentAt, isDeleted) = try row.decode(
      UUID.self, String.self, String?.self, String.self, Timestamp.self, Bool.self)
    return Message(
      id: id, groupId: group, userId: user, text: text, sentAt: sentAt.date, isDeleted: isDeleted)
  }
}
