import BatonLive
import BatonPostgres
import TestSupport
import Testing

/// If the result of a topic is too large, other topics continue, and smaller results are sent.
@Suite(.timeLimit(.minutes(5))) struct LargeTopicTests {
  private static var options: LiveOptions {
    var options = LiveOptions.quick
    options.maximumResultSize = 1 << 20
    return options
  }

  @Test func `of two hundred topics one that is too large ends its own streams`() async throws {
    try await Notes.with(Self.options, notes: 200) { notes in
      let (lines, reading) = notes.follow(200)
      try await eventually("all snapshots") { lines.allSatisfy { $0.all.last == "one for v" } }
      let sessions = try await notes.sessions()
      try await notes.write("two", where: "topic <> 'n100'")
      try await notes.run(
        "update note set body = repeat('x', 2000000), version = version + 1 where topic = 'n100'")
      try await eventually("the end of the large topic") { lines[99].all.last == "end" }
      #expect(lines[99].all == ["one for v", "failed with 22000", "end"])
      try await notes.write("three", where: "topic <> 'n100'")
      try await eventually("the other topics") {
        lines.indices.filter { $0 != 99 }.allSatisfy { lines[$0].all.last == "three for v" }
      }
      #expect(try await notes.sessions() == sessions)
      for task in reading { task.cancel() }
    }
  }

  @Test func `topics that are too large together are read in parts`() async throws {
    try await Notes.with(Self.options, notes: 200) { notes in
      let (lines, reading) = notes.follow(200)
      try await eventually("all snapshots") { lines.allSatisfy { $0.all.last == "one for v" } }
      try await notes.run("update note set body = repeat('x', 20000), version = version + 1")
      try await eventually("all large snapshots") {
        lines.allSatisfy { $0.all.last?.utf8.count == 20_006 }
      }
      for task in reading { task.cancel() }
    }
  }
}
