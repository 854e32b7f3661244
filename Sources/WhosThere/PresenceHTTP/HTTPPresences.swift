import Foundation
import Presence

/// Sends check-ins and check-outs over HTTP, and reads which users are at a group's place.
struct HTTPPresences: PresenceRepository {
  let calls: HTTPCalls

  func send(_ command: PresenceCommand) async throws(AppError) -> PresenceAnswer {
    try await calls.read(PresenceAnswer.self, "POST", ["presence-commands"], sends: command)
  }

  func presences(of groupId: String) async throws(AppError) -> PresenceSnapshot {
    try await calls.read(PresenceSnapshot.self, "GET", ["groups", groupId, "presence"])
  }

  func observe(_ groupId: String) -> AsyncStream<Result<PresenceSnapshot, AppError>> {
    calls.follow(
      ["groups", groupId, "presence"],
      value: { try WireFormat.read(PresenceSnapshot.self, from: $0) },
      event: { try WireFormat.read(PresenceSnapshot.self, from: $0) })
  }
}

/// Sends, reads and deletes messages over HTTP.
struct HTTPChat: ChatRepository {
  let calls: HTTPCalls

  func send(_ draft: MessageDraft) async throws(AppError) -> Message {
    try await calls.read(
      Message.self, "POST", ["groups", draft.groupId, "messages"],
      key: draft.id.uuidString.lowercased(), sends: ["text": draft.text])
  }

  func history(
    of groupId: String, after last: Message?, limit: Int
  ) async throws(AppError) -> [Message] {
    try calls.signedIn()
    var before: String?
    if let last {
      let position = PagePosition(time: last.sentAt, id: last.id.uuidString.lowercased())
      guard let position else { throw .invalidInput("the position of a page") }
      before = position.text
    }
    return try await calls.read(
      Page.self, "GET", ["groups", groupId, "messages"],
      query: ["before": before, "limit": "\(limit)"]
    ).messages
  }

  func deleteMessage(_ messageId: UUID, groupId: String) async throws(AppError) {
    try await calls.run(
      "DELETE", ["groups", groupId, "messages", messageId.uuidString.lowercased()])
  }

  func observeMessages(of groupId: String) -> AsyncStream<Result<[Message], AppError>> {
    // An event contains only the changed messages, so the newest page is requested after each one.
    calls.follow(
      ["groups", groupId, "messages"], query: ["limit": "\(Self.page)"],
      value: { try WireFormat.read(Page.self, from: $0).messages }, event: nil)
  }

  private struct Page: Decodable { let messages: [Message] }
}
