import BatonLive
import BatonPostgres
import Synchronization
import TestSupport
import Testing

/// If the reads of a topic do not end, other topics and other feeds continue.
@Suite(.timeLimit(.minutes(5))) struct SlowTopicTests {
  private static var options: LiveOptions {
    var options = LiveOptions.quick
    options.timeout = .milliseconds(200)
    return options
  }

  /// Returns whether a stream contains these snapshots in this order and was late in between.
  ///
  /// On a busy machine, a read can exceed the short time limit, so a stream can be late more often.
  private func isLate(between snapshots: [String], in lines: [String]) -> Bool {
    var seen: [String] = []
    for line in lines where line != "late" && line != seen.last { seen.append(line) }
    let isRepeated = zip(lines, lines.dropFirst()).contains { $0 == $1 }
    return seen == snapshots && lines.contains("late") && !isRepeated
  }

  @Test(.sampled(), arguments: ["read", "look", "feed"])
  func `of two hundred topics one whose read does not end delays the others only for a moment`(
    where place: String
  ) async throws {
    try await Notes.with(Self.options, notes: 200) { notes in
      let (lines, reading) = notes.follow(200)
      try await eventually("all snapshots") { lines.allSatisfy { $0.all.last == "one for v" } }
      try await notes.write("two", where: "topic <> 'n100'")
      try await notes.write("\(place) hangs", where: "topic = 'n100'")
      let others = lines.indices.filter { $0 != 99 }
      for body in ["three", "four"] {
        try await notes.write(body, where: "topic <> 'n100'")
        try await eventually("the other topics") {
          others.allSatisfy { lines[$0].all.last == "\(body) for v" }
        }
      }
      try await eventually("the slow topic is late") { lines[99].all.last == "late" }
      // The attempts become less frequent, so the other topics get most of the time.
      let reads = notes.feed.calls.reads
      try await eventually("more attempts") { notes.feed.calls.reads > reads + 4 }
      try await notes.write("five", where: "topic = 'n100'")
      try await eventually("the slow topic comes back") { lines[99].all.last == "five for v" }
      #expect(isLate(between: ["one for v", "five for v"], in: lines[99].all), "\(lines[99].all)")
      for task in reading { task.cancel() }
    }
  }

  @Test(.sampled())
  func `a locked table stops its own feed alone, which goes on afterwards`() async throws {
    try await Notes.with(Self.options, notes: 200) { notes in
      let (lines, reading) = notes.follow(200)
      let counter = Counter()
      let counting = Task {
        for await _ in notes.hub.channel(for: CountingFeed()).observe(1, as: "v") { counter.add() }
      }
      try await eventually("all snapshots") {
        lines.allSatisfy { $0.all.last == "one for v" } && counter.count > 0
      }
      let locker = try await notes.test.connect()
      try await locker.script(Statement("test/lock", "begin; lock table \(notes.test.schema).note"))
      try await eventually("all topics are late") { lines.allSatisfy { $0.all.last == "late" } }
      // The hub spends at most half of its time on attempts.
      let before = counter.count
      try await eventually("the other feed goes on") { counter.count > before + 20 }
      try await locker.script(Statement("test/release", "rollback"))
      try await notes.write("two")
      try await eventually("all topics come back") {
        lines.allSatisfy { isLate(between: ["one for v", "two for v"], in: $0.all) }
      }
      await locker.close()
      for task in reading + [counting] { task.cancel() }
    }
  }
}

/// A feed without a table, whose topic changes with each poll.
private struct CountingFeed: LiveFeed {
  let name = "counting"
  let late = -1

  func listChanged(
    _ known: [(topic: Int, version: ContinuousClock.Instant?)], on session: Session
  ) async throws -> [Int] { known.map(\.topic) }

  func read(
    _ topics: [Int], for viewers: [(topic: Int, viewer: String)], on session: Session
  ) async throws -> LiveReading<Self> {
    LiveReading(
      topics: Dictionary(uniqueKeysWithValues: topics.map { ($0, (version: .now, snapshot: 1)) }))
  }

  func element(of snapshot: Int, for viewer: String) -> Int { snapshot }
}
