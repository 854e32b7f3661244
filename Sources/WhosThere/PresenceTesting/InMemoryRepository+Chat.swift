import Foundation
public import Presence

extension InMemoryPresence {
  /// Returns the repository for the messages that one actor may read and send.
  public nonisolated func chat(for actor: String?) -> any ChatRepository {
    InMemoryRepository(server: self, actor: actor)
  }
}

extension InMemoryRepository: ChatRepository {
  func send(_ draft: MessageDraft) async throws(AppError) -> Message {
    try await server.sendMessage(actor, draft)
  }

  func history(
    of groupId: String, after last: Message?, limit: Int
  ) async throws(AppError) -> [Message] {
    try await server.messageHistory(actor, groupId, last, limit)
  }

  func deleteMessage(_ messageId: UUID, groupId: String) async throws(AppError) {
    try await server.deleteMessage(actor, messageId, groupId)
  }

  func observeMessages(of groupId: String) -> AsyncStream<Result<[Message], AppError>> {
    // A slow reader receives only the newest page.
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      Task { await server.observeMessages(actor, groupId, continuation) }
    }
  }
}
