public import Foundation

/// Sends check-ins and check-outs, and reads which users are at a group's place.
public protocol PresenceRepository: Sendable {
  /// Sends a check-in or check-out.
  ///
  /// A repeated command receives the first command's response and takes effect only once.
  func send(_ command: PresenceCommand) async throws(AppError) -> PresenceAnswer

  /// Returns the users who are at a group's place now.
  ///
  /// Only members may call this method.
  func presences(of groupId: String) async throws(AppError) -> PresenceSnapshot

  /// Returns a stream of the users at a group's place, beginning with the current state.
  ///
  /// A slow reader receives only the latest snapshot. After a retryable error, the stream
  /// continues, but snapshots may arrive late. A non-retryable error is the last element of the
  /// stream. If the stream ends without an error, the task was cancelled.
  func observe(_ groupId: String) -> AsyncStream<Result<PresenceSnapshot, AppError>>
}

/// Sends, reads and deletes messages.
public protocol ChatRepository: Sendable {
  /// Sends a checked draft.
  ///
  /// If a draft is sent again with the same id, only one message is stored.
  func send(_ draft: MessageDraft) async throws(AppError) -> Message

  /// Returns one page of a group's messages, newest first.
  ///
  /// - Parameters:
  ///   - last: The last message of the previous page, or nil for the newest page.
  ///   - limit: The number of messages, up to 100.
  func history(
    of groupId: String, after last: Message?, limit: Int
  ) async throws(AppError) -> [Message]

  /// Deletes a message.
  ///
  /// Only the message's author and the group's admins may call this method.
  func deleteMessage(_ messageId: UUID, groupId: String) async throws(AppError)

  /// Returns a stream of the newest page of messages.
  ///
  /// Errors are reported in the same way as by ``PresenceRepository/observe(_:)``.
  func observeMessages(of groupId: String) -> AsyncStream<Result<[Message], AppError>>
}

extension ChatRepository {
  /// The default number of messages on a page.
  public static var page: Int { 50 }

  /// Returns one page with the default number of messages.
  public func history(
    of groupId: String, after last: Message? = nil
  ) async throws(AppError) -> [Message] {
    try await history(of: groupId, after: last, limit: Self.page)
  }
}
