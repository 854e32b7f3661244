public import Foundation

/// Check-ins, and who is at a group's place.
public protocol PresenceRepository: Sendable {
  /// Checks in or out; the same command again has the same answer and no other effect.
  func send(_ command: PresenceCommand) async throws(AppError) -> PresenceAnswer

  /// Who is at a group's place now; for members.
  func presences(of groupId: String) async throws(AppError) -> PresenceSnapshot

  /// Who is at a group's place now, then after each change; a slow reader gets only the newest snapshot.
  ///
  /// A retryable error means that snapshots may be late, and others follow it; any other error is the last element. A
  /// stream that ends without an error was cancelled.
  func observe(_ groupId: String) -> AsyncStream<Result<PresenceSnapshot, AppError>>
}

/// What members write.
public protocol ChatRepository: Sendable {
  /// Sends a draft that was checked; the same id again is the same message.
  func send(_ draft: MessageDraft) async throws(AppError) -> Message

  /// A page of a group's messages, newest first.
  ///
  /// - Parameters:
  ///   - last: the last one of the page before; nil: begin with the newest.
  ///   - limit: 100 at most.
  func history(
    of groupId: String, after last: Message?, limit: Int
  ) async throws(AppError) -> [Message]

  /// Takes a message back; for its author, and for admins.
  func deleteMessage(_ messageId: UUID, groupId: String) async throws(AppError)

  /// The newest page, then after each change; errors as ``PresenceRepository/observe(_:)`` has them.
  func observeMessages(of groupId: String) -> AsyncStream<Result<[Message], AppError>>
}

extension ChatRepository {
  /// How many messages a page has.
  public static var page: Int { 50 }

  /// A page of the usual length.
  public func history(
    of groupId: String, after last: Message? = nil
  ) async throws(AppError) -> [Message] {
    try await history(of: groupId, after: last, limit: Self.page)
  }
}
