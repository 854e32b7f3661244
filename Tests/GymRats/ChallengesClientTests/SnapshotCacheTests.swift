import Challenges
import ChallengesApp
import Foundation
import Testing

/// Tests the last boards, which are stored for times without a network.
@Suite struct SnapshotCacheTests {
  private let folder: Folder

  init() throws { folder = try Folder() }

  private func cache(_ userId: String = "ana", mostBoards: Int = 32) -> SnapshotCache {
    SnapshotCache(folder: folder.url, userId: userId, mostBoards: mostBoards)
  }

  private func snapshot(
    _ version: Int64, group: String = "g1", type: ChallengeType = .checkIns
  ) -> LeaderboardSnapshot {
    LeaderboardSnapshot(
      challenge: Challenge(
        id: "c-\(group)-\(type.rawValue)", groupId: group, type: type, week: EntityTests.week,
        isActive: true, createdAt: EntityTests.instant), entries: [EntityTests.entry],
      viewer: "u1", rankVersion: version, takenAt: EntityTests.instant)
  }

  @Test func `the last board is there after a restart, with its age, for its user alone`() async {
    await cache().keep(snapshot(3))
    let kept = await cache().last(groupId: "g1", type: .checkIns)
    #expect(kept == snapshot(3))
    #expect(kept?.age(at: EntityTests.instant.addingTimeInterval(60)) == .seconds(60))
    #expect(await cache().last(groupId: "g1", type: .streak) == nil)
    #expect(await cache().last(groupId: "g2", type: .checkIns) == nil)
    #expect(await cache("ben").last(groupId: "g1", type: .checkIns) == nil)
  }

  @Test func `a lower version does not take the place of a higher one`() async {
    await cache().keep(snapshot(3))
    let second = cache()
    await second.keep(snapshot(2))
    #expect(await second.last(groupId: "g1", type: .checkIns)?.rankVersion == 3)
    await second.keep(snapshot(4))
    #expect(await cache().last(groupId: "g1", type: .checkIns)?.rankVersion == 4)
  }

  @Test func `leaving forgets the group, signing out forgets all of the user's`() async throws {
    for group in ["g1", "g2"] {
      for type in ChallengeType.allCases {
        await cache().keep(snapshot(1, group: group, type: type))
      }
    }
    await cache("ben").keep(snapshot(1))
    await cache().forget(groupId: "g1")
    #expect(await cache().last(groupId: "g1", type: .streak) == nil)
    #expect(await cache().last(groupId: "g2", type: .streak) != nil)
    await cache().forgetAll()
    #expect(await cache().last(groupId: "g2", type: .streak) == nil)
    #expect(try folder.names.count == 1)
  }

  @Test func `a cache is bounded, and the oldest goes`() async throws {
    let cache = cache(mostBoards: 3)
    for number in 0..<10 {
      await cache.keep(snapshot(1, group: "g\(number)"))
      try await Task.sleep(for: .milliseconds(10))
    }
    #expect(try folder.names.count == 3)
    #expect(await cache.last(groupId: "g9", type: .checkIns) != nil)
    #expect(await cache.last(groupId: "g0", type: .checkIns) == nil)
  }

  @Test func `what cannot be read is not there`() async throws {
    await cache().keep(snapshot(1))
    let file = folder.url.appending(path: try #require(try folder.names.first))
    let whole = try Data(contentsOf: file)
    for length in 0..<whole.count {
      try whole.prefix(length).write(to: file)
      #expect(await cache().last(groupId: "g1", type: .checkIns) == nil)
    }
    await cache().keep(snapshot(1))
    #expect(await cache().last(groupId: "g1", type: .checkIns) == snapshot(1))
  }
}
