import BatonPostgres
import ChallengesSQL
import Foundation
import IdentitySQL
import JobTesting
import PresenceSQL
import RunnerSQL
import TestSupport
import Testing

/// A changed set of functions, views and triggers has its own number.
///
/// Without a new number, an older program would restore its functions in a database that a newer
/// program migrated.
@Suite(.timeLimit(.minutes(5))) struct ModuleVersionTests {
  private static let root = Checkout.root

  private static let parts = [
    "runner": SQL.runner, "identity": SQL.identity, "challenges": SQL.challenges,
    "presence": SQL.presence,
  ]

  private static func file(of part: String) -> URL {
    root.appending(path: "sql/\(part)/versions.sql")
  }

  @Test(arguments: parts.keys.sorted())
  func `the newest number is that of the functions, views and triggers as they are`(
    name: String
  ) async throws {
    let part = try #require(Self.parts[name])
    #expect(part.name == name && part.objects.contains { $0.kind == .function })
    try await withTest { try await $0.checkVersions(of: part, at: Self.file(of: name)) }
    // The program's number is the number in the file.
    let sets = VersionsFile(try String(contentsOf: Self.file(of: name), encoding: .utf8))
    #expect(sets.lines.last?.number == part.version)
    #expect(sets.lines.allSatisfy { $0.hash.count == 16 })
  }

  private func withTest(_ body: (JobTest) async throws -> Void) async throws {
    try await JobTest.run([], at: try TestServer.address, migrated: false, body)
  }

  /// Creates a part with one function, and returns the complaint about its `versions.sql`, or nil
  /// if there is none.
  private func said(of body: String, _ lines: String...) async throws -> String? {
    let function = SchemaObject(.function, "tell", Statement("functions/tell", body))
    let part = SchemaPart("shop", version: 1, migrations: [], objects: [function])
    let folder = try TemporaryFolder()
    let file = try folder.write("versions.sql", lines: ["-- Sets of the shop."] + lines)
    do {
      try await withTest { try await $0.checkVersions(of: part, at: URL(filePath: file)) }
      return nil
    } catch let problem as VersionsProblem {
      return problem.description
    }
  }

  @Test func `whoever changes a function is told the next line, and with it all is well`()
    async throws
  {
    let first = try #require(try await said(of: "one"))
    #expect(first.contains("part 'shop'") && first.contains("versions.sql:\n-- 1 "))
    let one = try #require(first.split(separator: "\n").last).description
    #expect(try await said(of: "one", one) == nil)

    let second = try #require(try await said(of: "another", one))
    let two = try #require(second.split(separator: "\n").last).description
    #expect(two.hasPrefix("-- 2 ") && two.dropFirst(5) != one.dropFirst(5))
    #expect(try await said(of: "another", one, two) == nil)
    // Restoring the earlier text also creates a new set, because databases with the second set must
    // get it.
    let third = try #require(try await said(of: "one", one, two))
    #expect(third.hasSuffix("\n-- 3 \(one.dropFirst(5))"))
  }

  @Test func `numbers are 1, 2, 3 and so on, and a part without functions needs none`() async throws
  {
    let hash = "0123456789abcdef"
    for lines in [["-- 2 \(hash)"], ["-- 1 \(hash)", "-- 1 \(hash)"], ["-- 0 \(hash)"]] {
      let sets = VersionsFile(lines.joined(separator: "\n"))
      #expect(sets.lines.map(\.description) == lines)
      let folder = try TemporaryFolder()
      let file = URL(filePath: try folder.write("versions.sql", lines: lines))
      await #expect(throws: VersionsProblem.self) {
        try await withTest { try await $0.checkVersions(of: SQL.runner, at: file) }
      }
    }
    let bare = SchemaPart("bare", version: 0, migrations: [], objects: [])
    try await withTest { try await $0.checkVersions(of: bare, at: URL(filePath: "/nowhere")) }
  }

  @Test func `a build that finds a file without versions says what to do`() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("versions.sql", lines: ["-- The versions of the shop."])
    let output = folder.path + "/SQL.swift"
    func build(_ files: String...) async throws -> TestProcess.Ended {
      try await TestProcess(
        try BatonProgram.path(of: "EmbedSQLTool"), ["ShopSQL", folder.path, output] + files,
        environment: BatonProgram.inherited, directory: "/"
      ).wait(within: .seconds(30))
    }
    let built = try await build(file)
    #expect(built.status == 1)
    #expect(built.output.hasPrefix("error: \(file): no line is `-- NUMBER HASH`. Delete the file"))
    #expect(built.output.contains("prints `-- 1 HASH`"))
    // Without the file, the build succeeds.
    try FileManager.default.createDirectory(
      atPath: folder.path + "/functions", withIntermediateDirectories: true)
    let function = try folder.write(
      "functions/tell.sql",
      lines: [
        "-- Tells.", "create or replace function tell() returns integer", "language sql return 1",
      ])
    let rebuilt = try await build(function)
    #expect(rebuilt.status == 0, "\(rebuilt.output)")
  }

  /// A number identifies the set of a database.
  ///
  /// If a program had another set with the same number, the program would mistake that set for its
  /// own.
  @Test(
    .enabled("there is no history here") { try await hasHistory }, arguments: parts.keys.sorted())
  func `a line that was committed is never edited`(part: String) async throws {
    let committed = VersionsFile(try await Self.git("show", "HEAD:sql/\(part)/versions.sql") ?? "")
      .lines
    let present = VersionsFile(try String(contentsOf: Self.file(of: part), encoding: .utf8)).lines
    #expect(
      present.starts(with: committed),
      """
      sql/\(part)/versions.sql has to begin as it was committed, with new lines behind:
      \(committed.map(\.description).joined(separator: "\n"))
      """)
  }

  private static var hasHistory: Bool {
    get async throws { try await git("rev-parse", "HEAD") != nil }
  }

  /// Returns the output of git, or nil if git fails or is missing.
  private static func git(_ arguments: String...) async throws -> String? {
    let ended = try await TestProcess(
      "/usr/bin/env", ["git", "-c", "safe.directory=*", "-C", root.path()] + arguments,
      environment: ["PATH": "/usr/local/bin:/usr/bin:/bin"], directory: "/"
    ).wait()
    return ended.status == 0 ? ended.output : nil
  }
}
