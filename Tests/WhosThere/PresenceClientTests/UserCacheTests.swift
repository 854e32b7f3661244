import Foundation
import Presence
import PresenceApp
import Testing

/// Tests users that are fetched once and stored for some time.
@Suite struct UserCacheTests {
  /// A server that counts its requests, and responds when the test lets it.
  private actor Server {
    private(set) var asked: [[String]] = []
    private var version: Int64 = 1
    private var isOpen = true
    private var isBroken = false
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private var watchers: [CheckedContinuation<Void, Never>] = []

    func fetch(_ ids: [String]) async throws -> [User] {
      asked.append(ids)
      for watcher in watchers { watcher.resume() }
      watchers = []
      if !isOpen { await withCheckedContinuation { waiting.append($0) } }
      if isBroken { throw AppError.networkUnavailable }
      return ids.filter { !$0.hasPrefix("no") }.map {
        User(id: $0, displayName: "v\(version)", version: version, createdAt: Sample.instant)
      }
    }

    func close() { isOpen = false }

    func open() {
      isOpen = true
      for call in waiting { call.resume() }
      waiting = []
    }

    func change(version: Int64) { self.version = version }

    func change(isBroken: Bool) { self.isBroken = isBroken }

    /// Waits until the server has received this number of requests.
    func waitForCalls(_ count: Int) async {
      while asked.count < count { await withCheckedContinuation { watchers.append($0) } }
    }
  }

  private final class Clock: @unchecked Sendable {
    private let lock = NSLock()
    private var time = Duration.zero
    var now: Duration { lock.withLock { time } }
    func advance(_ seconds: Int) { lock.withLock { time += .seconds(seconds) } }
  }

  private let server = Server()
  private let clock = Clock()

  private func cache(mostUsers: Int = 100) -> UserCache {
    UserCache(mostUsers: mostUsers, lifetime: .seconds(300), now: { [clock] in clock.now }) {
      [server] in try await server.fetch($0)
    }
  }

  @Test func `somebody is fetched once, and again behind the lifetime`() async throws {
    let cache = cache()
    #expect(try await cache.user("a")?.displayName == "v1")
    await server.change(version: 2)
    clock.advance(299)
    #expect(try await cache.user("a")?.displayName == "v1")
    clock.advance(1)
    #expect(try await cache.user("a")?.displayName == "v2")
    #expect(await server.asked == [["a"], ["a"]])
  }

  @Test func `one call brings all who are missing, and that there is nobody is kept`() async throws
  {
    let cache = cache()
    _ = try await cache.user("b")
    let users = try await cache.users(["a", "b", "c", "a", "nobody"])
    #expect(users.map(\.id).sorted() == ["a", "b", "c"])
    #expect(try await cache.user("nobody") == nil)
    #expect(await server.asked == [["b"], ["a", "c", "nobody"]])
  }

  @Test func `two ids that differ by bytes are two users`() async throws {
    let cache = cache()
    let ids = ["\u{e9}", "e\u{301}"]
    let found = try await cache.users(ids)
    #expect(Set(found.map { Array($0.id.utf8) }) == Set(ids.map { Array($0.utf8) }))
    for id in ids { #expect(try await cache.user(id)?.id.utf8.elementsEqual(id.utf8) == true) }
    #expect(await server.asked.count == 1)
  }

  @Test func `who is under way is fetched once, however many ask`() async throws {
    let cache = cache()
    await server.close()
    try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<20 { group.addTask { try await cache.users(["a", "b"]).count } }
      group.addTask { try await cache.user("a") == nil ? 0 : 1 }
      await server.waitForCalls(1)
      await server.open()
      for try await count in group { #expect(count > 0) }
    }
    let asked = await server.asked.flatMap(\.self).sorted()
    #expect(asked == ["a", "b"])
  }

  @Test func `a failure reaches all who wait, and is not kept`() async throws {
    let cache = cache()
    await server.change(isBroken: true)
    await #expect(throws: AppError.networkUnavailable) { try await cache.user("a") }
    await server.change(isBroken: false)
    #expect(try await cache.user("a") != nil)
  }

  @Test func `a cache is bounded, and who was not asked for the longest goes`() async throws {
    let cache = cache(mostUsers: 3)
    for id in ["a", "b", "c", "a", "d"] { _ = try await cache.user(id) }
    #expect(await cache.count == 3)
    _ = try await cache.users(["a", "c", "d"])
    #expect(await server.asked.count == 4)
    _ = try await cache.user("b")
    #expect(await server.asked.count == 5)
    #expect(try await cache.users((0..<10).map { "u\($0)" }).count == 10)
    #expect(await cache.count == 3)
  }

  @Test func `a lower version never takes the place of a higher one`() async throws {
    let cache = cache()
    await cache.keep(User(id: "a", displayName: "v7", version: 7, createdAt: Sample.instant))
    clock.advance(300)
    #expect(try await cache.user("a")?.displayName == "v1")
    #expect(try await cache.user("a")?.displayName == "v7")
    await server.change(version: 8)
    await cache.forget("a")
    #expect(try await cache.user("a")?.displayName == "v8")
    await cache.keep(User(id: "a", displayName: "v7", version: 7, createdAt: Sample.instant))
    #expect(try await cache.user("a")?.displayName == "v8")
  }

  @Test func `whoever signs out leaves nothing behind, nor what was under way`() async throws {
    let cache = cache()
    _ = try await cache.user("a")
    await server.close()
    async let late = cache.user("b")
    await server.waitForCalls(2)
    await cache.forgetAll()
    await server.open()
    #expect(try await late?.id == "b")
    #expect(await cache.count == 0)
  }
}
