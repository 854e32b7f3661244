import Foundation
import Presence
import PresenceTesting
import Testing

/// Tests that the in-memory server satisfies the contract of all servers.
@Suite struct PresenceContractTests {
  @Test(arguments: PresenceContract.achievements + PresenceContract.watch)
  func `memory keeps the promises of achievements and the watch`(
    promise: Promise<any PlaceEnvironment>
  ) async throws {
    try await promise.check(in: InMemoryPlaces(at: PresenceContract.beginning))
  }

  @Test(
    arguments: PresenceContract.presences + PresenceContract.streams + PresenceContract.safety)
  func `memory keeps the promises of presence`(
    promise: Promise<any PresenceEnvironment>
  ) async throws {
    try await promise.check(in: InMemoryPlaces(at: PresenceContract.beginning))
  }

  @Test func `no two promises have one name`() {
    let names =
      (PresenceContract.achievements + PresenceContract.watch).map(\.description)
      + (PresenceContract.presences + PresenceContract.streams + PresenceContract.safety).map(
        \.description)
    #expect(Set(names).count == names.count && names.count > 15)
  }
}

/// Tests that only the in-memory server allows: of streams, and of deleted accounts.
@Suite struct InMemoryPlaceTests {
  private let places = InMemoryPlaces(at: PresenceContract.beginning)

  private func command(_ action: PresenceAction, _ groupId: String = "g") throws -> PresenceCommand
  {
    try PresenceCommand(
      groupId: groupId, action: action, source: .manual, at: PresenceContract.beginning)
  }

  /// Checks users in.
  ///
  /// The first user created the group.
  private func gather(_ users: String...) async throws {
    for user in users {
      try await places.addUser(user)
      let groups = places.server.groups(for: user)
      if user == users[0] {
        _ = try await groups.createGroup(
          id: "g", name: "Chess", shape: .circle(center: Sample.berlin, radius: 100),
          isPublic: true, timeZone: "Europe/Berlin")
      } else {
        _ = try await groups.joinPublicGroup("g")
      }
      _ = try await places.server.presences(for: user).send(command(.checkIn))
    }
  }

  @Test func `whoever is removed, and all of a group that ends, are not there any more`()
    async throws
  {
    try await gather("ana", "ben", "cem")
    let groups = places.server.groups(for: "ana")
    try await places.moveClock(to: Sample.at(60))
    try await groups.removeMember(groupId: "g", userId: "ben")
    let snapshot = try await places.server.presences(for: "ana").presences(of: "g")
    #expect(snapshot.presences.map(\.userId) == ["ana", "cem"])
    #expect(snapshot.summary.presentCount == 2)
    try await groups.deleteGroup("g")
    for user in ["ana", "ben", "cem"] {
      #expect(try await places.server.achievements(for: user).stats().longestStay > 0, "\(user)")
      #expect(try await places.server.watch(for: user).payload().groups == [])
    }
  }

  @Test func `an account that goes takes its visits along, and its date stays taken`() async throws
  {
    try await gather("ana", "ben")
    let before = try await places.server.presences(for: "ben").presences(of: "g")
    #expect(before.summary.firstToday == "ana")
    try await places.server.users(for: "ana").deleteAccount()
    let after = try await places.server.presences(for: "ben").presences(of: "g")
    #expect(after.summary.firstToday == nil && after.presences.map(\.userId) == ["ben"])
    #expect(after.summary.version > before.summary.version)
    try await places.addUser("cem")
    _ = try await places.server.groups(for: "cem").joinPublicGroup("g")
    _ = try await places.server.presences(for: "cem").send(command(.checkIn))
    #expect(try await places.server.achievements(for: "cem").stats().firstArrivals == 0)
    await places.server.addUser("ana", displayName: "Ana")
    #expect(try await places.server.achievements(for: "ana").stats() == UserStats())
    #expect(try await places.server.achievements(for: "ana").earned() == [])
  }

  @Test func `a stream says that the network is gone, and goes on; nobody reads, nothing is left`()
    async throws
  {
    try await gather("ana")
    let presences = places.server.presences(for: "ana")
    var snapshots = presences.observe("g").makeAsyncIterator()
    #expect(try await snapshots.next()?.get().presences.count == 1)
    await places.server.setReachable(false)
    await places.server.refresh()
    #expect(await snapshots.next() == .failure(.networkUnavailable))
    await places.server.setReachable(true)
    _ = try await presences.send(command(.checkOut))
    #expect(try await snapshots.next()?.get().presences == [])
    for _ in 0..<50 {
      let reader = Task {
        for await _ in presences.observe("g") { return true }
        return false
      }
      #expect(await reader.value)
    }
    #expect(await places.server.observerCount >= 1)
    // Only the first observer is still notified.
    for _ in 0..<1_000 where await places.server.observerCount > 1 { await Task.yield() }
  }
}
