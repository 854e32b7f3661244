import Synchronization
import TestSupport
import Testing

@testable import BatonOperations

/// The listeners of event streams, and the events that each listener receives.
@Suite(.timeLimit(.minutes(5))) struct EventStreamTests {
  private final class Source: Sendable {
    let reads = Mutex(0)
    func read() async -> String {
      ServerEvent.text("overview", "\(reads.withLock { count in count += 1; return count })")
    }
  }

  @Test func `all who listen are told the same, read once, and only while somebody does`()
    async throws
  {
    let source = Source()
    let events = EventStreams(every: .milliseconds(5)) { await source.read() }
    try await Task.sleep(for: .milliseconds(30))
    #expect(source.reads.withLock { $0 } == 0)
    let streams = (0..<EventStreams.most).map { _ in events.open() }
    #expect(streams.allSatisfy { $0 != nil } && events.open() == nil)
    // Each listener receives the first event and all later events.
    for stream in streams {
      var heard: [String] = []
      for await event in try #require(stream) {
        heard.append(event)
        if heard.count == 3 { break }
      }
      #expect(heard.allSatisfy { $0.hasSuffix("\n\n") })
      #expect(heard.contains { $0.hasPrefix("event: overview\ndata: ") })
    }
  }

  @Test func `who has gone makes room, and nothing is read any more`() async throws {
    let source = Source()
    let events = EventStreams(every: .milliseconds(2)) { await source.read() }
    let listening = (0..<EventStreams.most).compactMap { _ in events.open() }.map { stream in
      Task { for await _ in stream {} }
    }
    #expect(events.count == EventStreams.most)
    for task in listening { task.cancel() }
    try await eventually("nobody listens") { events.count == 0 }
    // A current reading may end, but no further reading begins.
    var reads = -1
    try await eventually("nothing is read") {
      let before = reads
      reads = source.reads.withLock { $0 }
      try? await Task.sleep(for: .milliseconds(20))
      return before == reads
    }
    #expect(events.open() != nil)
  }

  @Test func `a stream ends as soon as its client is no longer admitted`() async throws {
    let events = EventStreams(every: .milliseconds(2)) { "event: overview\ndata: 1\n\n" }
    let isAdmitted = Mutex(true)
    let ended = try #require(events.open { isAdmitted.withLock { $0 } })
    let other = try #require(events.open())
    let listening = Task { for await _ in ended {} }
    try await Task.sleep(for: .milliseconds(20))
    isAdmitted.withLock { $0 = false }
    // Otherwise, the loop would continue forever, and the test would exceed its time limit.
    await listening.value
    #expect(events.count == 1)
    for await _ in other { break }
  }

  @Test func `a close ends them all, and nobody comes any more`() async throws {
    let events = EventStreams(every: .milliseconds(2)) { "event: overview\ndata: 1\n\n" }
    let stream = try #require(events.open())
    let last = Mutex("")
    let listening = Task { for await event in stream { last.withLock { $0 = event } } }
    try await eventually("an event") { last.withLock { $0.hasPrefix("event: ") } }
    events.close()
    // Otherwise, the loop would continue forever, and the test would exceed its time limit.
    await listening.value
    #expect(last.withLock { $0.hasPrefix("event: ") })
    #expect(events.open() == nil)
  }

  @Test func `what a program tells is among it, and a line break does not end an event`()
    async throws
  {
    let feed = EventStreams.Feed(name: "board") { _ in
      AsyncStream { $0.yield(ServerEvent.text("board", "one\ntwo")) }
    }
    let events = EventStreams(every: .milliseconds(5), feeds: [feed]) {
      ServerEvent.text("overview", "{}")
    }
    var heard: Set<String> = []
    for await event in try #require(events.open()) {
      heard.insert(event)
      if heard.count == 3 { break }
    }
    #expect(
      heard == [
        "retry: 2000\n\n", "event: board\ndata: one\ndata: two\n\n",
        "event: overview\ndata: {}\n\n",
      ])
  }

  @Test func `a feed that ends, hangs or sends too much delays no other feed`() async throws {
    let large = String(repeating: "x", count: EventStreams.mostBytes + 1)
    let feeds = [
      EventStreams.Feed(name: "ends") { _ in AsyncStream { $0.finish() } },
      EventStreams.Feed(name: "hangs") { _ in
        AsyncStream {
          try? await Task.sleep(for: .seconds(3_600))
          return nil
        }
      },
      EventStreams.Feed(name: "floods") { _ in AsyncStream { "event: flood\n\n" } },
      EventStreams.Feed(name: "large") { _ in AsyncStream { $0.yield(large) } },
    ]
    let events = EventStreams(every: .milliseconds(5), feeds: feeds) { "event: overview\n\n" }
    var heard: [String: Int] = [:]
    for await event in try #require(events.open()) {
      heard[event, default: 0] += 1
      if heard["event: overview\n\n"] == 20 { break }
    }
    #expect(heard["event: flood\n\n"] ?? 0 <= 20)
    #expect(heard[large] == nil && heard.count == 3)
  }

  @Test func `a feed knows what those who listen look at, and only for as long as they do`()
    async throws
  {
    let asked = Mutex<(@Sendable () -> [String])?>(nil)
    let feed = EventStreams.Feed(name: "board") { topics in
      asked.withLock { $0 = topics }
      return AsyncStream { $0.yield("event: board\n\n") }
    }
    let events = EventStreams(every: .seconds(60), feeds: [feed]) { "" }
    func listen(_ topics: [String: [String]]) throws -> Task<Void, Never> {
      let stream = try #require(events.open(about: topics))
      return Task { for await _ in stream {} }
    }
    let one = try listen(["board": ["a", "b"], "other": ["c"]])
    let other = try listen(["board": ["b", "d"]])
    try await eventually("the feed") { asked.withLock { $0 } != nil }
    let topics = try #require(asked.withLock { $0 })
    #expect(topics().sorted() == ["a", "b", "d"])
    one.cancel()
    try await eventually("one has gone") { topics().sorted() == ["b", "d"] }
    // Two spellings of a letter are two ids.
    let third = try listen(["board": ["\u{e9}", "e\u{301}"]])
    #expect(topics().count == 4)
    third.cancel()
    other.cancel()
    try await eventually("all have gone") { topics() == [] }
  }
}
