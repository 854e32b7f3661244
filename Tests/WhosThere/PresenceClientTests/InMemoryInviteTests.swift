import Foundation
import Presence
import TestDice
import Testing

@testable import PresenceTesting

/// Tests the ways to join a group, on the in-memory server.
@Suite struct InMemoryInviteTests {
  private let server: InMemoryPresence
  private let clock = ManualClock(at: Sample.instant)

  init() async throws {
    server = InMemoryPresence { [clock] in clock.now }
    for id in ["ana", "ben", "cem"] { await server.addUser(id, displayName: id) }
    _ = try await server.groups(for: "ana").createGroup(
      id: "g1", name: "Chess", shape: .circle(center: Sample.berlin, radius: 100),
      isPublic: false, timeZone: "Europe/Berlin")
  }

  private func redeemed(_ code: InviteCode, by user: String) async -> String {
    let groups = server.groups(for: user)
    switch await AppResult.calling({ try await groups.redeemInvite(code) }) {
    case .success(let group): return group.id
    case .failure(let error): return error.code
    }
  }

  @Test func `there is one invite at a time, and another ends it`() async throws {
    let groups = server.groups(for: "ana")
    let first = try await groups.currentInvite(groupId: "g1")
    #expect(try await groups.currentInvite(groupId: "g1") == first)
    #expect(first.expiresAt == clock.now.addingTimeInterval(7 * 86_400))
    let second = try await groups.rotateInvite(groupId: "g1", lifetime: .seconds(60))
    #expect(try await groups.currentInvite(groupId: "g1") == second)
    #expect(await redeemed(first.code, by: "ben") == "inviteInvalid")
    clock.advance(by: 60)
    #expect(await redeemed(second.code, by: "ben") == "inviteExpired")
    // If a code is no longer valid, the next request gets another code.
    #expect(try await groups.currentInvite(groupId: "g1").code != second.code)
  }

  @Test func `an invite lets in, and answers the same once it is over`() async throws {
    let groups = server.groups(for: "ana")
    let code = try await groups.currentInvite(groupId: "g1").code
    #expect(await redeemed(code, by: "ana") == "g1")
    #expect(await redeemed(code, by: "ben") == "g1")
    #expect(await redeemed(code, by: "ben") == "g1")
    _ = try await groups.rotateInvite(groupId: "g1")
    #expect(await redeemed(code, by: "ben") == "g1")
    #expect(try await groups.getMembers(groupId: "g1").count == 2)
    try await server.groups(for: "ben").leaveGroup("g1")
    #expect(await redeemed(code, by: "ben") == "inviteInvalid")
    // A code can be used once per user, so the current code can also be used once by ben.
    let current = try await groups.currentInvite(groupId: "g1").code
    #expect(await redeemed(current, by: "ben") == "g1")
    try await server.groups(for: "ben").leaveGroup("g1")
    #expect(await redeemed(current, by: "ben") == "inviteInvalid")
  }

  @Test func `two who replace one code have the same new one, and lives have limits`()
    async throws
  {
    let groups = server.groups(for: "ana")
    let old = try await groups.currentInvite(groupId: "g1").code
    let new = try await groups.rotateInvite(groupId: "g1", lifetime: .seconds(60))
    let again = try await server.rotateInvite("ana", "g1", replacing: old, .seconds(90))
    #expect(new == again)
    for seconds in [59, 366 * 86_400 + 1] {
      await #expect(throws: AppError.self) {
        try await groups.rotateInvite(groupId: "g1", lifetime: .seconds(seconds))
      }
    }
  }

  @Test func `what somebody types is a code, or costs no attempt`() async throws {
    let ben = server.groups(for: "ben")
    for _ in 0..<30 {
      await #expect(throws: AppError.inviteInvalid) { try await ben.redeemInvite(typed: "hello") }
    }
    let code = try await server.groups(for: "ana").currentInvite(groupId: "g1").code
    #expect(try await ben.redeemInvite(typed: " \(code.text.lowercased()) ").id == "g1")
  }

  @Test func `whoever guesses is stopped for an hour, and nobody else is`() async throws {
    let code = try await server.groups(for: "ana").currentInvite(groupId: "g1").code
    var dice = Dice()
    for _ in 0..<20 {
      #expect(await redeemed(.random(using: &dice), by: "ben") == "inviteInvalid", "\(dice)")
    }
    #expect(await redeemed(code, by: "ben") == "tooManyAttempts")
    #expect(await redeemed(code, by: "cem") == "g1")
    // Ended codes do not count as guesses, so they cost no attempt.
    await server.addUser("eve", displayName: "eve")
    let next = try await server.groups(for: "ana").rotateInvite(groupId: "g1").code
    for _ in 0..<30 { #expect(await redeemed(code, by: "eve") == "inviteInvalid") }
    #expect(await redeemed(next, by: "eve") == "g1")
    clock.advance(by: 3_599)
    #expect(await redeemed(next, by: "ben") == "tooManyAttempts")
    clock.advance(by: 1)
    #expect(await redeemed(next, by: "ben") == "g1")
  }

  @Test func `a deleted group's invite opens nothing`() async throws {
    let groups = server.groups(for: "ana")
    let code = try await groups.currentInvite(groupId: "g1").code
    try await groups.deleteGroup("g1")
    #expect(await redeemed(code, by: "ben") == "inviteInvalid")
  }
}
