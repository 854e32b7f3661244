import BatonPostgres
import Foundation
import JobTesting
import Presence
import PresencePostgres
import TestSupport
import Testing

/// Tests an app's repositories with PostgreSQL, from an empty database to a group with another
/// member.
@Suite(.timeLimit(.minutes(5))) struct PostgresPlacesTests {
  private let gym: GroupShape

  init() throws {
    gym = .circle(center: try Coordinate(latitude: 52.5, longitude: 13.4), radius: 120)
  }

  private func withDatabase(
    _ body: (PresenceDatabase, Places) async throws -> Void
  ) async throws {
    try await Places.with { places in
      let database = PresenceDatabase(
        places.test.configuration, schema: places.test.schema)
      do { try await body(database, places) } catch {
        await database.close()
        throw error
      }
      await database.close()
    }
  }

  @Test func `a group is made, found, joined by its code and left, through the library alone`()
    async throws
  {
    try await withDatabase { database, _ in
      let ann = try await database.accounts.signIn(.apple, subject: "ann", displayName: "Ann")
      let ben = try await database.accounts.signIn(.google, subject: "ben")
      #expect(!ann.asksForName && !ann.isAnonymous && ben.asksForName)
      let hers = database.groups(for: ann.id)
      let his = database.groups(for: ben.id)

      let made = try await hers.createGroup(
        id: "gym", name: "Gym", shape: gym, isPublic: false, timeZone: "Europe/Berlin")
      #expect(made.shape == gym && made.memberCount == 1 && made.createdBy == ann.id)
      #expect(
        try await hers.createGroup(
          id: "gym", name: "Gym", shape: gym, isPublic: false, timeZone: "Europe/Berlin")
          == made)
      #expect(try await his.getGroup("gym") == nil)
      #expect(try await his.nearbyGroups(around: place(52.501, 13.4), radius: 500).isEmpty)

      let invite = try await hers.currentInvite(groupId: "gym")
      #expect(invite.groupId == "gym" && !invite.isExpired(at: Date()))
      let joined = try await his.redeemInvite(typed: invite.code.description.lowercased())
      #expect(joined.memberCount == 2)
      #expect(try await his.nearbyGroups(around: place(52.501, 13.4), radius: 500) == [joined])
      #expect(try await hers.getMembers(groupId: "gym").map(\.userId) == [ann.id, ben.id])
      #expect(
        try await database.users(for: ann.id).getUsers([ben.id, "eve"]).map(\.id) == [ben.id])

      let next = try await hers.rotateInvite(groupId: "gym", lifetime: .seconds(3_600))
      #expect(next.code != invite.code)
      let eve = try await database.accounts.signIn(
        .anonymous, subject: String(repeating: "e", count: 64))
      await #expect(throws: AppError.inviteInvalid) {
        try await database.groups(for: eve.id).redeemInvite(invite.code)
      }
      try await his.leaveGroup("gym")
      #expect(try await hers.getGroup("gym")?.memberCount == 1)
      #expect(try await his.joinedGroups().isEmpty)
    }
  }

  @Test func `refusals are errors of the app, and public groups come page by page`() async throws {
    try await withDatabase { database, _ in
      let ann = try await database.accounts.signIn(.apple, subject: "ann", displayName: "Ann")
      let groups = database.groups(for: ann.id)
      await #expect(throws: AppError.notAuthenticated) {
        try await database.groups(for: nil).joinedGroups()
      }
      await #expect(throws: AppError.groupNotFound) { try await groups.leaveGroup("none") }
      for number in 1...3 {
        _ = try await groups.createGroup(
          id: "g\(number)", name: "Same", shape: gym, isPublic: true, timeZone: "UTC")
      }
      let page = try await groups.publicGroups(after: nil, limit: 2)
      #expect(page.map(\.id) == ["g1", "g2"])
      #expect(try await groups.publicGroups(after: page.last, limit: 2).map(\.id) == ["g3"])
      var wrong = try #require(page.first)
      wrong.timeZone = "Mars/Olympus"
      let error = await #expect(throws: AppError.self) { try await groups.updateGroup(wrong) }
      guard case .invalidInput(let why) = error else {
        Issue.record("it was \(String(describing: error))")
        return
      }
      #expect(why.contains("Mars/Olympus"))
    }
  }

  @Test func `somebody checks in and out, and members see it, through the library alone`()
    async throws
  {
    try await withDatabase { database, places in
      try await places.accounts("ann", "ben", "zoe")
      try await places.found("g", by: "ann", "ben")
      let position = try ClaimedPosition(
        coordinate: try place(52.5, 13.4), accuracy: 12.5, at: Date())
      let comes = try PresenceCommand(
        groupId: "g", action: .checkIn, source: .automatic, device: .watch, at: Date(),
        position: position, stay: 3_600)
      let hers = database.presences(for: "ann")
      let answer = try await hers.send(comes)
      #expect(answer.outcome == .accepted && !answer.isReplayed)
      let presence = try #require(answer.presence)
      #expect(presence.isPresent && presence.source == .automatic && presence.version == 1)
      #expect(presence.deadline == presence.since.addingTimeInterval(3_600))
      let again = try await hers.send(comes)
      #expect(again == PresenceAnswer(outcome: .accepted, isReplayed: true, presence: presence))

      #expect(try await places.test.drain() == 0)
      let seen = try await database.presences(for: "ben").presences(of: "g")
      #expect(seen.presences == [presence] && seen.own == nil)
      #expect(seen.summary.presentCount == 1 && seen.summary.latest == ["ann"])
      #expect(seen.summary.firstToday == "ann" && seen.summary.version == 1)
      let goes = try PresenceCommand(
        groupId: "g", action: .checkOut, source: .manual, at: Date())
      #expect(try await hers.send(goes).presence?.version == 2)
      #expect(try await hers.presences(of: "g").own?.isPresent == false)
      let none = try await database.presences(for: "ben").send(goes)
      #expect(none == PresenceAnswer(outcome: .unchanged, presence: nil))

      await #expect(throws: AppError.notAMember) {
        try await database.presences(for: "zoe").presences(of: "g")
      }
      await #expect(throws: AppError.notAuthenticated) {
        try await database.presences(for: nil).send(comes)
      }
      let never = try PresenceCommand(
        groupId: "g", action: .checkOut, source: .manual, at: .distantFuture)
      await #expect(throws: AppError.invalidInput("a time")) { try await hers.send(never) }
    }
  }

  @Test func `a device is signed out here, or everywhere`() async throws {
    try await withDatabase { database, _ in
      let accounts = database.accounts
      let ann = try await accounts.signIn(.apple, subject: "ann", displayName: "Ann")
      let phone = try await accounts.beginSession(of: ann.id, on: "phone")
      let watch = try await accounts.beginSession(of: ann.id, on: "watch")
      #expect(try await accounts.user(ofSession: watch.token) == ann.id)
      try await accounts.endSession(phone.token)
      await #expect(throws: AppError.sessionExpired) {
        try await accounts.user(ofSession: phone.token)
      }
      #expect(try await accounts.endSessions(of: ann.id) == 1)
      await #expect(throws: AppError.sessionExpired) {
        try await accounts.user(ofSession: watch.token)
      }
    }
  }

  private func place(_ latitude: Double, _ longitude: Double) throws -> Coordinate {
    try Coordinate(latitude: latitude, longitude: longitude)
  }
}
