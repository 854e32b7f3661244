import Foundation
import TestSupport
import Testing

/// Compares replays of the real executable with the oracle.
///
/// Every board must be equal.
///
/// The whole file has a separate suite.
@Suite(.timeLimit(.minutes(20)))
struct ReplayOracleTests {
  @Test(.sampled()) func `the boards of a real year are the oracle's`() async throws {
    // At full size, each hour of the year is a separate step. Otherwise, ten weeks have a step for
    // each day.
    let weeks = Days("2024-01-29", "2024-04-08")
    try await expectReplay(
      of: .year2024, only: TestSize.isFull ? nil : weeks,
      options: ["--step", TestSize.isFull ? "1h" : "24h"])
  }

  @Test(.sampled()) func `the boards of the edges are the oracle's`() async throws {
    try await expectReplay(of: .edges, options: [])
  }

  @Test(
    .enabled(if: TestSize.isFull, "steps of other lengths: make test-all"),
    arguments: ["1s", "15m", "24h"])
  func `how far the clock moves at once changes no board`(step: String) async throws {
    try await expectReplay(of: .edges, options: ["--step", step])
  }

  @Test(.sampled()) func `a range leaves the lines outside it out, by instant`()
    async throws
  {
    let lines = try await CheckInData.year2024.lines()
    let end = try #require(Self.microseconds("2024-02-01T00:00:00Z"))
    let beginning = try #require(Self.microseconds("2024-12-01T00:00:00Z"))
    let parts = [
      (["--to", "2024-02-01"], lines.filter { $0.instant < end }),
      (["--from", "2024-12-01"], lines.filter { $0.instant >= beginning }),
    ]
    for (option, part) in parts {
      try #require(!part.isEmpty && part.count < lines.count)
      try await TestSchema.with { schema in
        let ended = try await schema.gymrats.start(
          ["replay", CheckInData.year2024.path, "--step", "24h"] + option
        ).wait(within: .seconds(900))
        try #require(ended.status == 0, "\(ended.errors)")
        try await expectBoards(of: part, from: schema.gymrats)
      }
    }
  }

  @Test(.sampled()) func `a range may begin and end on any UTC day of the edges`()
    async throws
  {
    let from = try #require(Self.microseconds("2024-02-29T00:00:00Z"))
    let to = try #require(Self.microseconds("2024-10-28T00:00:00Z"))
    let lines = try await CheckInData.edges.lines().filter { from <= $0.instant && $0.instant < to }
    try await TestSchema.with { schema in
      try await schema.gymrats.succeed(
        "replay", CheckInData.edges.path, "--from", "2024-02-29", "--to", "2024-10-28")
      try await expectBoards(of: lines, from: schema.gymrats)
    }
  }

  @Test(.enabled(if: TestSize.isFull, "a whole year once more"))
  func `the order of the lines in the file changes no board`() async throws {
    let text = String(decoding: try await CheckInData.year2024.content(), as: UTF8.self)
    var lines = text.split(separator: "\n").map(String.init)
    let header = lines.removeFirst()
    var generator = Randomness().generator
    lines.shuffle(using: &generator)
    let folder = try TemporaryFolder()
    let path = try folder.write("scrambled.csv", lines: [header] + lines)
    try await TestSchema.with { schema in
      try await Self.replay(path, schema)
      try await expectBoards(
        of: Self.spring.filter(try await CheckInData.year2024.lines()), from: schema.gymrats)
    }
  }

  @Test(.enabled(if: TestSize.isFull, "a killed replay of a text file: make test-all"))
  func `plain and gzip of the same content continue each other`() async throws {
    let folder = try TemporaryFolder()
    let plain = try folder.write("plain.csv", Array(try await CheckInData.year2024.content()))
    let lines = Self.spring.filter(try await CheckInData.year2024.lines())
    try await TestSchema.with { schema in
      let first = try schema.gymrats.start(
        ["replay", CheckInData.year2024.path, "--step", Self.step] + Self.spring.options)
      defer { first.signal(SIGKILL) }
      try await eventually("a third of the steps", within: .seconds(600)) {
        let done = try await schema.sql("select count(*) from workout")
        return Int(done.first ?? "").map { $0 > lines.count / 3 } ?? false
      }
      first.signal(SIGKILL)
      let killed = try await first.wait()
      try #require(killed.status == 128 + SIGKILL, "the replay was not over yet")
      let output = try await Self.replay(plain, schema)
      #expect(output.contains("lines were done before"))
      try await expectBoards(of: lines, from: schema.gymrats)
    }
  }

  /// A few weeks of a file, with the same properties as its year.
  private static let spring = Days("2024-03-04", TestSize.isFull ? "2024-04-15" : "2024-03-25")
  private static let step = "6h"

  @discardableResult
  private static func replay(_ path: String, _ schema: TestSchema) async throws -> String {
    let ended = try await schema.gymrats.start(
      ["replay", path, "--step", step] + spring.options
    ).wait(within: .seconds(900))
    try #require(ended.status == 0, "\(ended.errors)")
    return ended.output
  }

  private func expectReplay(
    of data: CheckInData, only days: Days? = nil, options: [String]
  ) async throws {
    try await TestSchema.with { schema in
      let replay = try schema.gymrats.start(
        ["replay", data.path] + options + (days?.options ?? []))
      defer { replay.signal(SIGKILL) }
      let ended = try await replay.wait(within: .seconds(1_100))
      try #require(ended.status == 0, "\(ended.errors)")
      let all = try await data.lines()
      let lines = days?.filter(all) ?? all
      #expect(ended.output.hasPrefix("replayed \(lines.count) lines in "))
      try await expectBoards(of: lines, from: schema.gymrats)
      #expect(try await schema.sql("select count(*) from run") == ["0"])
      #expect(try await schema.sql("select count(*) from dead_run") == ["0"])
    }
  }

  private static func microseconds(_ text: String) -> Int64? {
    (try? Date(text, strategy: .iso8601)).map { Int64($0.timeIntervalSince1970) * 1_000_000 }
  }
}
