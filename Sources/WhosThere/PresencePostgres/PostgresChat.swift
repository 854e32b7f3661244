import BatonPostgres
public import Foundation
public import Presence
import PresenceSQL

/// What members write, in PostgreSQL.
public struct PostgresChat: Sendable {
  let calls: ActorCalls

  /// Sends a draft; the same id again is the same message.
  public func send(_ draft: MessageDraft) async throws(AppError) -> Message {
    try await calls.run(
      .row(
        SQL.Api.sendMessage, try calls.signedIn, draft.groupId, draft.id, draft.text,
        decode: Self.message))
  }

  /// A page of a group's messages, newest first.
  ///
  /// - Parameters:
  ///   - last: the last one of the page before; nil: begin with the newest.
  ///   - limit: 100 at most.
  public func history(
    of groupId: String, after last: Message?, limit: Int
  ) async throws(AppError) -> [Message] {
    guard let limit = Int32(exactly: limit) else { throw .invalidInput("a page of \(limit)") }
    var before: Timestamp?
    if let last { before = try Timestamp(last.sentAt) }
    return try await calls.run(
      .rows(
        SQL.Api.messages, try calls.signedIn, groupId, before, last?.id, limit,
        decode: Self.message))
  }

  /// Takes a message back; for its author, and for admins.
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
