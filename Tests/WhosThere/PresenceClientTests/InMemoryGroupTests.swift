import Foundation
import Presence
import PresenceTesting
import Testing

/// Tests groups and their members, on the in-memory server.
@Suite struct InMemoryGroupTests {
  private let server: InMemoryPresence
  private let clock = ManualClock(at: Sample.instant)
  private static let shape = GroupShape.circle(center: Sample.berlin, radius: 100)

  init() async {
    var settings = InMemoryPresence.Settings()
    settings.mostMembers = 3
    server = InMemoryPresence(settings: settings) { [clock] in clock.now }
    for id in ["ana", "ben", "cem", "dia"] { await server.addUser(id, displayName: id) }
  }

  /// Creates a group of Ana's.
  private func group(
    _ id: String = "g1", name: String = "Chess", isPublic: Bool = true, at shape: GroupShape = shape
  ) async throws -> LocationGroup {
    try await server.groups(for: "ana").createGroup(
      id: id, name: name, shape: shape, isPublic: isPublic, timeZone: "Europe/Berlin")
  }

  private func members(_ groupId: String = "g1", as actor: String = "ana") async throws -> [String]
  {
    try await server.groups(for: actor).getMembers(groupId: groupId).map {
      "\($0.userId) \($0.role)"
    }
  }

  private func refused(_ call: () async throws -> Void) async -> String {
    guard case .failure(let error) = await AppResult<Void>.calling(call) else { return "done" }
    return error.code
  }

  @Test func `who makes a group is its admin, and the same call answers the same`() async throws {
    let group = try await group()
    #expect(group.memberCount == 1 && group.createdBy == "ana" && group.createdAt == clock.now)
    clock.advance(by: 60)
    #expect(try await self.group() == group)
    #expect(try await members() == ["ana admin"])
    #expect(await refused { _ = try await self.group(name: "Go") } == "conflictingRepeat")
    let other = server.groups(for: "ben")
    #expect(
      await refused {
        _ = try await other.createGroup(
          id: "g1", name: "Chess", shape: Self.shape, isPublic: true, timeZone: "Europe/Berlin")
      } == "conflictingRepeat")
    #expect(
      await refused {
        _ = try await other.createGroup(
          name: "Go", shape: .circle(center: Sample.berlin, radius: 1), isPublic: true,
          timeZone: "Europe/Berlin")
      } == "invalidInput")
  }

  @Test func `nobody is anybody who is not signed in, or whom nothing reaches`() async throws {
    for actor in [nil, "nobody"] {
      #expect(
        await refused { _ = try await server.groups(for: actor).joinedGroups() }
          == "notAuthenticated")
    }
    await server.setReachable(false)
    #expect(
      await refused { _ = try await server.groups(for: "ana").joinedGroups() }
        == "networkUnavailable")
  }

  @Test func `a group that is not public is not there for others`() async throws {
    let hidden = try await group(isPublic: false)
    let ben = server.groups(for: "ben")
    #expect(try await ben.getGroup("g1") == nil)
    #expect(await refused { _ = try await ben.getMembers(groupId: "g1") } == "groupNotFound")
    #expect(await refused { _ = try await ben.joinPublicGroup("g1") } == "groupNotFound")
    #expect(try await ben.publicGroups(after: nil, limit: 10) == [])
    #expect(try await ben.nearbyGroups(around: Sample.berlin, radius: 1_000) == [])
    #expect(try await server.groups(for: "ana").getGroup("g1") == hidden)
    #expect(
      try await server.groups(for: "ana").nearbyGroups(around: Sample.berlin, radius: 0) == [hidden]
    )
  }

  @Test func `a public group is joined until it is full, and once`() async throws {
    _ = try await group()
    let ben = server.groups(for: "ben")
    #expect(await refused { _ = try await ben.getMembers(groupId: "g1") } == "notAMember")
    clock.advance(by: 1)
    #expect(try await ben.joinPublicGroup("g1").memberCount == 2)
    #expect(try await ben.joinPublicGroup("g1").memberCount == 2)
    #expect(try await server.groups(for: "cem").joinPublicGroup("g1").isFull)
    #expect(
      await refused { _ = try await server.groups(for: "dia").joinPublicGroup("g1") } == "groupFull"
    )
    #expect(try await members() == ["ana admin", "ben member", "cem member"])
    #expect(try await ben.joinedGroups().map(\.id) == ["g1"])
  }

  @Test func `whoever leaves stays out, and somebody is always an admin`() async throws {
    _ = try await group()
    for (seconds, user) in [(1.0, "ben"), (1, "cem")] {
      clock.advance(by: seconds)
      _ = try await server.groups(for: user).joinPublicGroup("g1")
    }
    for _ in 0..<2 { try await server.groups(for: "ana").leaveGroup("g1") }
    #expect(try await members(as: "ben") == ["ben admin", "cem member"])
    #expect(
      await refused { try await server.groups(for: "dia").leaveGroup("g1") } == "notAMember")
    try await server.groups(for: "ben").leaveGroup("g1")
    try await server.groups(for: "cem").leaveGroup("g1")
    // The group has no members, and no user can join any more.
    #expect(
      await refused { _ = try await server.groups(for: "ana").joinPublicGroup("g1") }
        == "groupNotFound")
  }

  @Test func `admins change, remove, promote and delete, others do not`() async throws {
    var group = try await group()
    clock.advance(by: 1)
    let (ana, ben) = (server.groups(for: "ana"), server.groups(for: "ben"))
    _ = try await ben.joinPublicGroup("g1")
    (group.name, group.maxMembers) = ("Go", 20)
    for call in [
      { _ = try await ben.updateGroup(group) }, { try await ben.deleteGroup("g1") },
      { try await ben.promote(groupId: "g1", userId: "ben") },
      { try await ben.removeMember(groupId: "g1", userId: "ana") },
      { _ = try await ben.rotateInvite(groupId: "g1") },
    ] as [() async throws -> Void] {
      #expect(await refused(call) == "notGroupAdmin")
    }
    let changed = try await ana.updateGroup(group)
    #expect(changed.name == "Go" && changed.maxMembers == 20 && changed.memberCount == 2)
    try await ana.promote(groupId: "g1", userId: "ben")
    #expect(try await members() == ["ana admin", "ben admin"])
    #expect(
      await refused { try await ana.removeMember(groupId: "g1", userId: "ana") } == "invalidInput")
    for _ in 0..<2 { try await ana.removeMember(groupId: "g1", userId: "ben") }
    #expect(
      await refused { try await ana.removeMember(groupId: "g1", userId: "cem") } == "notAMember")
    for _ in 0..<2 { try await ana.deleteGroup("g1") }
    #expect(try await ana.getGroup("g1") == nil)
    #expect(try await ana.joinedGroups() == [])
  }

  @Test func `public groups come by name, page by page`() async throws {
    for (number, name) in ["Go", "Chess", "Chess", "Äpfel", "chess"].enumerated() {
      _ = try await group("g\(number)", name: name)
    }
    let groups = server.groups(for: "ben")
    var (seen, last): ([String], LocationGroup?) = ([], nil)
    repeat {
      let page = try await groups.publicGroups(after: last, limit: 2)
      seen += page.map(\.id)
      last = page.last
    } while last != nil
    #expect(seen == ["g1", "g2", "g0", "g4", "g3"])
    for limit in [0, 101] {
      #expect(
        await refused { _ = try await groups.publicGroups(after: nil, limit: limit) }
          == "invalidInput")
    }
  }

  @Test func `what is near is what is within the radius, the nearest first`() async throws {
    for (number, metres) in [5_000.0, 300, 20_000].enumerated() {
      let center = Sample.berlin.moved(by: metres, bearing: 120)
      _ = try await group("g\(number)", at: .circle(center: center, radius: 100))
    }
    let groups = server.groups(for: "ben")
    func near(_ radius: Double) async throws -> [String] {
      try await groups.nearbyGroups(around: Sample.berlin, radius: radius).map(\.id)
    }
    for (radius, ids) in [
      (0.0, []), (201, ["g1"]), (4_899, ["g1"]), (4_901, ["g1", "g0"]),
    ] {
      #expect(try await near(radius) == ids)
    }
    #expect(try await near(50_000) == ["g1", "g0", "g2"])
    #expect(await refused { _ = try await near(50_001) } == "invalidInput")
  }

  @Test func `of others only name and picture are told, and only to those who know them`()
    async throws
  {
    _ = try await group()
    _ = try await server.groups(for: "ben").joinPublicGroup("g1")
    let ana = server.users(for: "ana")
    var user = try #require(try await ana.getUser("ana"))
    user.timeZone = "Europe/Berlin"
    user.displayName = "Ana"
    let changed = try await ana.updateUser(user)
    #expect(changed.version == 2 && changed.timeZone == "Europe/Berlin")
    #expect(try await ana.updateUser(user).version == 2)
    #expect(try await ana.getUser("ben") == nil)
    let seen = try await server.users(for: "ben").getUsers(["ana", "cem", "nobody"])
    #expect(seen.map(\.displayName) == ["Ana"] && seen.first?.timeZone == nil)
    #expect(try await server.users(for: "cem").getUsers(["ana"]) == [])
    #expect(
      try await server.groups(for: "ben").getMembers(groupId: "g1").map(\.displayName) == [
        "Ana", "ben",
      ])
    #expect(
      await refused { _ = try await server.users(for: "ben").updateUser(user) }
        == "notAuthenticated")
    try await ana.deleteAccount()
    #expect(try await members(as: "ben") == ["ben admin"])
    #expect(try await server.groups(for: "ben").getGroup("g1")?.createdBy == nil)
    #expect(await refused { _ = try await ana.getUser("ana") } == "notAuthenticated")
  }
}
