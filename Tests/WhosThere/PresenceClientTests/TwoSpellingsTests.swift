import Foundation
import Presence
import PresenceApp
import Testing

/// Tests that ids are compared by bytes, as on the server, even if Swift's `==` treats two texts as
/// equal.
@Suite struct TwoSpellingsTests {
  private static let composed = "\u{e9}"
  private static let decomposed = "e\u{301}"

  private func presence(of user: String) -> Presence {
    Presence(
      groupId: "g1", userId: user, isPresent: true, source: .manual, since: Sample.instant,
      version: 1, changedAt: Sample.instant)
  }

  @Test func `a place at which both are is read`() throws {
    let both = PresenceSnapshot(
      summary: Sample.summary,
      presences: [presence(of: Self.composed), presence(of: Self.decomposed)], own: nil,
      takenAt: Sample.instant)
    let read = try JSONDecoder().decode(
      PresenceSnapshot.self, from: try JSONEncoder().encode(both))
    #expect(read.presences.count == 2)
  }

  @Test func `whoever is there is not the other`() {
    let snapshot = PresenceSnapshot(
      summary: Sample.summary, presences: [presence(of: Self.composed)], own: nil,
      takenAt: Sample.instant)
    #expect(snapshot.isPresent(Self.composed))
    #expect(!snapshot.isPresent(Self.decomposed))
  }

  @Test func `a message is its author's alone`() {
    let message = Message(
      id: Sample.id(1), groupId: "g1", userId: Self.composed, text: "Hello", sentAt: Sample.instant)
    #expect(message.isOwn(Self.composed))
    #expect(!message.isOwn(Self.decomposed))
  }
}
