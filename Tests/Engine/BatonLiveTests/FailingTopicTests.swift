import BatonLive
import BatonPostgres
import Synchronization
import TestSupport
import Testing

/// Errors that concern a topic, a feed or the connection: which observers are affected, and which
/// continue.
@Suite(.timeLimit(.minutes(5))) struct FailingTopicTests {
  /// The handling of errors, as `feed state`.
  private final class Failures: Sendable {
    private let noted = Mutex<[String]>([])
    var all: [String] { noted.withLock { $0 } }

    func options(_ options: LiveOptions) -> LiveOptions {
      var options = options
      options.onFailure = { feed, error in
        let state = (error as? PostgresError)?.sqlState.code ?? "\(error)"
        self.noted.withLock { $0.append("\(feed) \(state)") }
      }
      return options
    }
  }

  @Test(.sampled(), arguments: [("read", false), ("look", false), ("read", true)])
  func `of two hundred topics one that fails for good ends its own streams, and delays no other`(
    where place: String, isKeyed: Bool
  ) async throws {
    let failures = Failures()
    try await Notes.with(failures.options(.patient), notes: 200, isKeyed: isKeyed) { notes in
      let (lines, reading) = notes.follow(200)
      try await eventually("all of them") { lines.allSatisfy { $0.all == ["one for v"] } }
      try await eventually("the hub's lock") { try await notes.locks() == 1 }
      let hub = try await notes.hubs()
      let others = lines.indices.filter { $0 != 99 }
      try await expectTime(below: .seconds(1) * patience, "the updates of the others") {
        try await notes.write("two", but: "\(place) 22012", at: "n100", isKeyed: isKeyed)
        try await eventually("the others") {
          others.allSatisfy { lines[$0].all == ["one for v", "two for v"] }
        }
      }
      try await eventually("the end of the one") { lines[99].all.last == "end" }
      #expect(lines[99].all == ["one for v", "failed with 22012", "end"])
      #expect(failures.all == ["notes 22012"])
      // The error was no reason for another connection. A new observer of the topic also gets the
      // error.
      #expect(try await notes.hubs() == hub)
      var again = notes.channel.observe("n100", as: "v").makeAsyncIterator()
      #expect(await again.next() == "failed with 22012")
      #expect(await again.next() == nil)
      try await notes.write("three")
      try await eventually("the next of the others") {
        others.allSatisfy { lines[$0].all.last == "three for v" }
      }
      for task in reading { task.cancel() }
    }
  }

  @Test func `an error that may pass makes a topic late, until it can be read`() async throws {
    let failures = Failures()
    try await Notes.with(failures.options(.quick), notes: 3) { notes in
      let (lines, reading) = notes.follow(3)
      try await eventually("all of them") { lines.allSatisfy { $0.all == ["one for v"] } }
      let hub = try await notes.hubs()
      try await notes.write("two", but: "read 40001", at: "n2")
      try await eventually("what is late") { lines[1].all == ["one for v", "late"] }
      try await eventually("the others") {
        lines[0].all.last == "two for v" && lines[2].all.last == "two for v"
      }
      // The topic is read repeatedly, but reported as late only once.
      let reads = notes.feed.calls.reads
      try await eventually("more reads") { notes.feed.calls.reads > reads + 3 }
      try await notes.write("three")
      try await eventually("all of them again") {
        lines.allSatisfy { $0.all.last == "three for v" }
      }
      #expect(lines[1].all == ["one for v", "late", "three for v"])
      #expect(lines[0].all == ["one for v", "two for v", "three for v"])
      #expect(failures.all == [])
      #expect(try await notes.hubs() == hub)
      for task in reading { task.cancel() }
    }
  }

  @Test func `an error that may be the connection's is believed from a new one`() async throws {
    let failures = Failures()
    try await Notes.with(failures.options(.patient), notes: 2) { notes in
      let (lines, reading) = notes.follow(2)
      try await eventually("both") { lines.allSatisfy { $0.all == ["one for v"] } }
      let hub = try await notes.hubs()
      try await notes.write("two", but: "read 0A000", at: "n1")
      try await eventually("the end of the one") { lines[0].all.last == "end" }
      #expect(lines[0].all.suffix(2) == ["failed with 0A000", "end"])
      try await eventually("the other") { lines[1].all.last == "two for v" }
      #expect(failures.all == ["notes 0A000"])
      let next = try await notes.hubs()
      #expect(next.count == 1 && next != hub)
      try await notes.write("three")
      try await eventually("the next") { lines[1].all.last == "three for v" }
      #expect(try await notes.hubs() == next)
      reading[1].cancel()
    }
  }

  @Test func `where what is prepared has another result by now, streams go on`() async throws {
    let failures = Failures()
    try await Notes.with(failures.options(.quick)) { notes in
      let (lines, reading) = notes.follow(1)
      try await eventually("the first") { lines[0].all == ["one for v"] }
      let hub = try await notes.hubs()
      try await notes.test.sql("alter table note alter topic type varchar")
      try await notes.write("two")
      try await eventually("the next") { lines[0].all.last == "two for v" }
      #expect(try await notes.hubs() != hub)
      #expect(failures.all == [])
      reading[0].cancel()
    }
  }

  @Test func `where the hub is refused itself, all streams end with the error`() async throws {
    let failures = Failures()
    try await Notes.with { notes in
      let address = notes.test.configuration.address.replacing(notes.test.name, with: "none")
      let hub = LiveHub(
        ConnectionConfiguration(address: address), in: notes.test.schema,
        options: failures.options(.patient))
      let channel = hub.channel(for: notes.feed)
      for viewer in ["ann", "ben"] {
        var stream = channel.observe("n1", as: viewer).makeAsyncIterator()
        // If the login takes long, the stream first reports that it is late.
        var line = await stream.next()
        if line == notes.feed.late { line = await stream.next() }
        #expect(line == "failed with 3D000")
        #expect(await stream.next() == nil)
      }
      #expect(failures.all == ["notes 3D000", "notes 3D000"])
      #expect(channel.observerCount == 0)
      hub.close()
    }
  }
}

extension Notes {
  /// Changes all notes, and gives one of them a different text.
  fileprivate func write(
    _ body: String, but other: String, at topic: String, isKeyed: Bool = false
  ) async throws {
    try await run(
      """
      with written as (
        update note set version = version + 1,
          body = case topic when '\(topic)' then '\(other)' else '\(body)' end
        returning topic)
      select case when \(isKeyed)
        then wake_observers_of('notes', array(select topic from written))
        else wake_observers('notes') end
      """)
  }

  /// The ids of the hub's server processes.
  fileprivate func hubs() async throws -> [String] {
    try await test.sql(
      "select pid from pg_stat_activity where application_name = 'hub of \(test.name)'")
  }
}
