import Foundation
import TestSupport
import Testing

/// Tests files that a replay refuses.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct MalformedFileTests {
  private static let good = [
    "g1,m1,2024-03-01T10:00:00Z", "g1,m2,2024-03-01T11:30:00+01:00", "g1,m1,2024-03-02T10:00:00Z",
  ]

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Writes a file whose third line is invalid.
  private func write(bad line: String) throws -> String {
    try folder.write(
      "file.csv",
      lines: ["group,member,occurred_at", Self.good[0], line] + Self.good.dropFirst())
  }

  private static let badLines = [
    "", "g1,m1", "g1,m1,2024-03-01T10:00:00Z,more", "g1,,2024-03-01T10:00:00Z",
    ",m1,2024-03-01T10:00:00Z", "g1,m1,yesterday", "g1,m1,2024-03-01T10:00:00",
    "g1,m1,2024-02-30T10:00:00Z", "g1,m1,2024-03-01T24:00:00Z", "g1,m1,2024-03-01T10:00:00+14:01",
    "g1,m1,2024-03-01T10:00:00-12:01", "g1,\"m1,2024-03-01T10:00:00Z",
  ]

  @Test(.sampled(), arguments: badLines)
  func `a malformed line is named and nothing is recorded`(line: String) async throws {
    let path = try write(bad: line)
    try await TestSchema.with { schema in
      expectComplaint(
        try await schema.gymrats.run("replay", path), status: 65, what: "malformed",
        place: "\(path), line 3", next: "--keep-going")
      #expect(try await schema.sql("select count(*) from workout") == ["0"])
      #expect(try await schema.sql("select count(*) from development") == ["0"])
    }
  }

  @Test(.sampled()) func `with --keep-going the rest goes on and every bad line is named`()
    async throws
  {
    let path = try folder.write(
      "file.csv",
      lines: ["group,member,occurred_at"] + Self.badLines + Self.good + ["g1,m1,last"])
    let good = try folder.write("good.csv", lines: ["group,member,occurred_at"] + Self.good)
    try await TestSchema.with { schema in
      let ended = try await schema.gymrats.run("replay", path, "--keep-going")
      #expect(ended.status == 0, "\(ended.errors)")
      let numbers = Array(2..<2 + Self.badLines.count) + [2 + Self.badLines.count + 3]
      for number in numbers { #expect(ended.errors.contains("line \(number) is left out: ")) }
      #expect(!ended.errors.contains("line \(2 + Self.badLines.count) "))
      #expect(ended.output.contains("\(numbers.count) malformed lines left out"))
      try await expectBoards(of: try await CheckInData(path: good).lines(), from: schema.gymrats)
    }
  }

  @Test func `a file that is not there is one`() async throws {
    try await TestSchema.with { schema in
      let path = folder.path + "/nothing.csv"
      expectComplaint(
        try await schema.gymrats.run("replay", path), status: 66, what: "No such file", place: path,
        next: "Check the path")
    }
  }

  @Test func `a folder is not a file`() async throws {
    try await TestSchema.with { schema in
      expectComplaint(
        try await schema.gymrats.run("replay", folder.path), status: 66, what: "directory",
        place: folder.path, next: "Check the path")
    }
  }

  @Test(.sampled(), arguments: ["", "member,group,occurred_at", "g1,m1,2024-03-01T10:00:00Z"])
  func `a file without the header is refused`(first: String) async throws {
    let path = try folder.write("file.csv", lines: [first] + Self.good)
    try await TestSchema.with { schema in
      expectComplaint(
        try await schema.gymrats.run("replay", path), status: 65, what: "header",
        place: "\(path), line 1", next: "group,member,occurred_at")
    }
  }

  @Test func `a file with nothing in it is refused`() async throws {
    let path = try folder.write("file.csv", [])
    try await TestSchema.with { schema in
      expectComplaint(
        try await schema.gymrats.run("replay", path), status: 65, what: "empty", place: path,
        next: "group,member,occurred_at")
    }
  }

  @Test func `a compressed file that was cut off is refused and nothing is recorded`() async throws
  {
    let whole = try Data(contentsOf: URL(filePath: CheckInData.year2024.path))
    let path = try folder.write("cut.csv.gz", Array(whole.prefix(whole.count / 2)))
    try await TestSchema.with { schema in
      expectComplaint(
        try await schema.gymrats.run("replay", path), status: 65, what: "ends too early",
        place: path,
        next: "again")
      #expect(try await schema.sql("select count(*) from workout") == ["0"])
    }
  }
}
