import Foundation
import Presence
import PresenceTesting
import Testing

/// Tests devices and accounts of the in-memory server, and the data that remains if one is merged
/// into the other.
@Suite struct InMemoryAccountTests {
  private let places = InMemoryPlaces(at: PresenceContract.beginning)
  private let google = Credential(provider: .google, token: "ana", nonce: "first")

  private func device() -> InMemoryAuth { InMemoryAuth(server: places.server) }

  private func command(
    _ action: PresenceAction, _ groupId: String, _ id: UInt8, stay: Int? = nil
  ) async throws -> PresenceCommand {
    try PresenceCommand(
      id: Sample.id(id), groupId: groupId, action: action, source: .manual,
      at: PresenceContract.beginning, stay: stay)
  }

  @Test func `a device is anonymous first, and an account later, on all of its devices`()
    async throws
  {
    let phone = device()
    #expect(try await phone.currentUser() == nil)
    await #expect(throws: AppError.notAuthenticated) { try await phone.link(google) }
    let secret = Credential.anonymous(secret: Credential.newSecret())
    let ana = try await phone.signIn(secret)
    #expect(ana.isAnonymous && ana.asksForName)
    #expect(try await device().signIn(secret).id == ana.id)
    await #expect(throws: (any Error).self) {
      try await phone.link(.anonymous(secret: Credential.newSecret()))
    }
    let account = try await phone.link(google)
    #expect(account.id == ana.id && !account.isAnonymous && account.version == ana.version + 1)
    #expect(try await phone.link(google) == account)
    // The same token from another sign-in.
    let tablet = device()
    #expect(try await tablet.signIn(Credential(provider: .google, token: "ana")) == account)
    try await phone.signOut()
    #expect(try await phone.currentUser() == nil)
    #expect(try await tablet.currentUser() == account)
    _ = try await phone.signIn(google)
    try await tablet.signOutEverywhere()
    await #expect(throws: AppError.sessionExpired) { try await phone.currentUser() }
    // An account is not merged into another account.
    let ben = try await phone.signIn(Credential(provider: .apple, token: "ben"))
    #expect(!ben.isAnonymous)
    await #expect(throws: AppError.conflictingRepeat) { try await phone.link(google) }
    await places.server.setReachable(false)
    await #expect(throws: AppError.networkUnavailable) { try await phone.currentUser() }
  }

  @Test func `an account takes over all that the anonymous user of a device has`() async throws {
    let (phone, tablet) = (device(), device())
    let account = try await tablet.signIn(google)
    let gone = try await phone.signIn(.anonymous(secret: Credential.newSecret()))
    let (old, new) = (places.server.groups(for: gone.id), places.server.groups(for: account.id))
    for id in ["both", "mine"] {
      _ = try await old.createGroup(
        id: id, name: id, shape: .circle(center: Sample.berlin, radius: 100), isPublic: true,
        timeZone: "Europe/Berlin")
    }
    _ = try await new.joinPublicGroup("both")
    _ = try await places.server.presences(for: gone.id).send(command(.checkIn, "mine", 1))
    _ = try await places.server.presences(for: gone.id).send(
      command(.checkIn, "both", 2, stay: 900))
    try await places.moveClock(to: Sample.at(600))
    for (action, id) in [(PresenceAction.checkIn, 3), (.checkOut, 4)] as [(PresenceAction, UInt8)] {
      _ = try await places.server.presences(for: account.id).send(command(action, "both", id))
    }

    #expect(try await phone.link(google) == account)
    #expect(try await phone.currentUser() == account)
    await #expect(throws: AppError.notAuthenticated) { try await old.joinedGroups() }
    #expect(try await new.joinedGroups().map(\.id) == ["both", "mine"])
    #expect(try await new.joinedGroups().map(\.memberCount) == [1, 1])
    #expect(try await new.getMembers(groupId: "both").map(\.role) == [.admin])
    #expect(try await new.getGroup("mine")?.createdBy == account.id)
    // The user is present, with the requested deadline, and the version is higher than both
    // versions.
    let snapshot = try await places.server.presences(for: account.id).presences(of: "both")
    #expect(snapshot.own?.version == 3 && snapshot.own?.deadline == Sample.at(899.75))
    #expect(snapshot.summary.firstToday == account.id)
    #expect(snapshot.presences.map(\.userId) == [account.id])
    // The last response to the device was lost, so the account sends the command again.
    let again = try await places.server.presences(for: account.id).send(
      command(.checkIn, "mine", 1))
    #expect(again.isReplayed && again.presence?.userId == account.id)
    let achievements = places.server.achievements(for: account.id)
    #expect(
      try await achievements.stats()
        == UserStats(
          checkIns: 3, firstArrivals: 2, groupsVisited: 2, currentStreak: 1, longestStreak: 1))
    #expect(try await achievements.earned().map(\.type) == [.firstCheckIn, .firstOfTheDay])
    #expect(try await achievements.earned().first?.unlockedAt == PresenceContract.beginning)
    try await places.moveClock(to: Sample.at(1_000))
    #expect(try await achievements.stats().longestStay == 900)
  }
}
