import Foundation
import Presence
import PresenceTesting
import Testing

/// Tests the chat of the in-memory server.
@Suite struct InMemoryChatTests {
  @Test(arguments: ChatContract.checks)
  func `memory keeps the promises of chat`(promise: Promise<any ChatEnvironment>) async throws {
    try await promise.check(in: InMemoryChat(at: ChatContract.beginning))
  }

  @Test func `a stream shows the newest page after each change, and ends with the membership`()
    async throws
  {
    let environment = InMemoryChat(at: ChatContract.beginning)
    let server = environment.server
    for user in ["ana", "ben"] { try await environment.addUser(user) }
    _ = try await server.groups(for: "ana").createGroup(
      id: "g", name: "Chess", shape: .circle(center: Sample.berlin, radius: 100),
      isPublic: true, timeZone: "UTC")
    _ = try await server.groups(for: "ben").joinPublicGroup("g")
    let (ana, ben) = (server.chat(for: "ana"), server.chat(for: "ben"))
    var pages = ben.observeMessages(of: "g").makeAsyncIterator()
    #expect(try await pages.next()?.get() == [])
    let draft = MessageDraft(groupId: "g", text: "Hello")
    let sent = try await ana.send(draft)
    #expect(try await pages.next()?.get() == [sent])
    // The second call changes nothing, and no observer is notified.
    _ = try await ana.send(draft)
    try await ana.deleteMessage(draft.id, groupId: "g")
    #expect(try await pages.next()?.get().map(\.text) == [""])
    try await server.groups(for: "ben").leaveGroup("g")
    #expect(await pages.next() == .failure(.notAMember))
    #expect(await pages.next() == nil)
  }
}
