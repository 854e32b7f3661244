import BatonLive
import BatonPostgres
import Synchronization
import TestSupport
import Testing

/// A hub and its observers, without any product.
@Suite(.timeLimit(.minutes(5))) struct LiveHubTests {
  @Test func `a stream begins with what is there, and follows what publishers say`() async throws {
    try await Notes.with { notes in
      var stream = notes.channel.observe("n1", as: "ann").makeAsyncIterator()
      #expect(await stream.next() == "one for ann")
      for body in ["two", "three", "four"] {
        try await notes.write(body)
        #expect(await stream.next() == "\(body) for ann")
      }
    }
  }

  @Test func `a slow reader gets the newest alone, and a newcomer says nothing to the others`()
    async throws
  {
    try await Notes.with { notes in
      var slow = notes.channel.observe("n1", as: "slow").makeAsyncIterator()
      #expect(await slow.next() == "one for slow")
      // This reader takes each line immediately, because a second waiting line would replace the
      // first line.
      let quick = Lines()
      let reading = Task {
        for await line in notes.channel.observe("n1", as: "quick") { quick.add(line) }
      }
      defer { reading.cancel() }
      try await eventually("the first") { quick.all.count == 1 }
      for (number, body) in ["two", "three"].enumerated() {
        try await notes.write(body)
        try await eventually(body) { quick.all.count == number + 2 }
      }
      var late = notes.channel.observe("n1", as: "late").makeAsyncIterator()
      #expect(await late.next() == "three for late")
      #expect(await slow.next() == "three for slow")
      // The next line of each observer is this line, and not the line that was read for the new
      // observer.
      try await notes.write("four")
      #expect(await slow.next() == "four for slow")
      try await eventually("the last") { quick.all.last == "four for quick" }
      #expect(quick.all == ["one", "two", "three", "four"].map { "\($0) for quick" })
    }
  }

  @Test func `a thousand observers have one connection, and leave nothing behind`() async throws {
    try await Notes.with(notes: 100) { notes in
      let shown = Counter()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for n in 0..<1_000 {
          group.addTask {
            var seen: [String] = []
            for await line in notes.channel.observe("n\(n % 100 + 1)", as: "v\(n)") {
              seen.append(line)
              if line.hasPrefix("two") { break }
              shown.add()
            }
            guard seen == ["one for v\(n)", "two for v\(n)"] else {
              throw TestFailure("v\(n) has seen \(seen)")
            }
          }
        }
        // A reader that has not yet read the first line could miss it, like any slow reader.
        try await eventually("all of them") { shown.count == 1_000 }
        let waiting = (1...5).map { _ in
          Task { for await _ in notes.channel.observe("n1", as: "idle") {} }
        }
        try await eventually("the lock") { try await notes.locks() == 1 }
        #expect(try await notes.sessions() == 1)
        try await notes.write("two")
        try await group.waitForAll()
        for task in waiting { task.cancel() }
        for task in waiting { await task.value }
      }
      #expect(notes.channel.observerCount == 0)
      try await eventually("no session") { try await notes.sessions() == 0 }
      #expect(try await notes.locks() == 0)
      // The hub starts again.
      var stream = notes.channel.observe("n7", as: "ann").makeAsyncIterator()
      #expect(await stream.next() == "two for ann")
    }
  }

  @Test func `who may not see a topic any more gets the reason and the end, the others go on`()
    async throws
  {
    try await Notes.with(.quick) { notes in
      var ann = notes.channel.observe("n1", as: "ann").makeAsyncIterator()
      var ben = notes.channel.observe("n1", as: "ben").makeAsyncIterator()
      #expect(await ann.next() == "one for ann")
      #expect(await ben.next() == "one for ben")
      try await notes.test.sql("insert into barred values ('ann')")
      // No visible row has changed, so only a check finds the change.
      #expect(await ann.next() == "barred")
      #expect(await ann.next() == nil)
      var again = notes.channel.observe("n1", as: "ann").makeAsyncIterator()
      #expect(await again.next() == "barred")
      #expect(await again.next() == nil)
      try await notes.write("two")
      #expect(await ben.next() == "two for ben")
    }
  }

  @Test func `a change and the end of its viewer in one instant show the viewer nothing`()
    async throws
  {
    try await Notes.with { notes in
      var ann = notes.channel.observe("n1", as: "ann").makeAsyncIterator()
      #expect(await ann.next() == "one for ann")
      try await notes.run(
        """
        with barred as (insert into barred values ('ann')),
          written as (update note set body = 'secret', version = 2)
        select wake_observers('notes')
        """)
      #expect(await ann.next() == "barred")
    }
  }

  @Test func `a topic that cannot be read makes its observers late, and nobody else`() async throws
  {
    try await Notes.with(.quick, notes: 2) { notes in
      var ann = notes.channel.observe("n1", as: "ann").makeAsyncIterator()
      var ben = notes.channel.observe("n2", as: "ben").makeAsyncIterator()
      #expect(await ann.next() == "one for ann")
      #expect(await ben.next() == "one for ben")
      try await notes.write("unreadable", where: "topic = 'n1'")
      #expect(await ann.next() == "late")
      try await notes.write("two", where: "topic = 'n2'")
      #expect(await ben.next() == "two for ben")
      try await notes.write("three")
      #expect(await ann.next() == "three for ann")
      #expect(await ben.next() == "three for ben")
    }
  }

  @Test func `two feeds share a connection, and a wake-up makes the hub look at its own`()
    async throws
  {
    try await Notes.with { notes in
      var feed = NoteFeed()
      feed.name = "other"
      let other = notes.hub.channel(for: feed)
      var ann = notes.channel.observe("n1", as: "ann").makeAsyncIterator()
      var ben = other.observe("n1", as: "ben").makeAsyncIterator()
      #expect(await ann.next() == "one for ann")
      #expect(await ben.next() == "one for ben")
      try await eventually("both locks") { try await notes.locks() == 2 }
      #expect(try await notes.sessions() == 1)
      let looks = feed.calls.looks
      try await notes.write("two")
      #expect(await ann.next() == "two for ann")
      #expect(feed.calls.looks == looks)
      try await notes.test.sql("select wake_observers('other')")
      #expect(await ben.next() == "two for ben")
    }
  }

  @Test func `a storm of wake-ups is seen in a few looks`() async throws {
    var options = LiveOptions.patient
    options.leastPause = .milliseconds(100)
    try await Notes.with(options) { notes in
      var ann = notes.channel.observe("n1", as: "ann").makeAsyncIterator()
      #expect(await ann.next() == "one for ann")
      let (began, looks) = (ContinuousClock.now, notes.feed.calls.looks)
      for n in 1...200 { try await notes.write("w\(n)") }
      while await ann.next() != "w200 for ann" {}
      let most = Int(began.duration(to: .now) / options.leastPause) + 2
      #expect(notes.feed.calls.looks - looks <= most)
    }
  }
}

/// The lines that a reader has read.
final class Lines: Sendable {
  private let taken = Mutex<[String]>([])
  var all: [String] { taken.withLock { $0 } }
  func add(_ line: String) { taken.withLock { $0.append(line) } }
}
