import Foundation
import Postgres
import TestSupport
import Testing

/// A set of functions, views and triggers that has changed has a number of its own: without one, a database
/// that a newer program migrated would get the older program's functions back.
@Suite(.timeLimit(.minutes(5))) struct SetNumberTests {
  private static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().appending(path: "../..").standardized

  private static let parts = ["runner", "challenges"]

  /// A line `-- NUMBER HASH` of `sets.sql`.
  private struct NumberedSet: Equatable, CustomStringConvertible {
    let number: Int
    let hash: String
    var description: String { "-- \(number) \(hash)" }

    static func all(in text: String) -> [NumberedSet] {
      text.split(separator: "\n").compactMap { line in
        guard let match = line.wholeMatch(of: /-- (\d+) ([0-9a-f]+)/) else { return nil }
        return Int(match.1).map { NumberedSet(number: $0, hash: String(match.2)) }
      }
    }
  }

  private func sets(of part: String) throws -> [NumberedSet] {
    let file = Self.root.appending(path: "sql/\(part)/sets.sql")
    return NumberedSet.all(in: try String(contentsOf: file, encoding: .utf8))
  }

  /// The paths and texts of a part's functions, views and triggers, by path.
  private func objects(of part: String) throws -> String {
    let folder = Self.root.appending(path: "sql/\(part)")
    let paths = try ["functions", "views", "triggers"].flatMap { kind -> [String] in
      let inside = folder.appending(path: kind).path()
      guard FileManager.default.fileExists(atPath: inside) else { return [] }
      return try FileManager.default.contentsOfDirectory(atPath: inside)
        .filter { $0.hasSuffix(".sql") }.map { "\(kind)/\($0)" }
    }
    return try paths.sorted().map { path in
      "\(path)\n" + (try String(contentsOf: folder.appending(path: path), encoding: .utf8))
    }.joined()
  }

  private func hash(_ text: String) async throws -> String {
    try await TestSchema.with(migrated: false) { test in
      let connection = try await test.connect()
      let hash = try await connection.run(
        .row(
          Statement(
            "test/hash", "select left(encode(sha256(convert_to($1, 'UTF8')), 'hex'), 16)"), text
        ) { (row) throws(PostgresError) in try row.decode(String.self) })
      await connection.close()
      return hash
    }
  }

  @Test(arguments: parts)
  func `the newest number is that of the functions, views and triggers as they are`(
    part: String
  ) async throws {
    let text = try objects(of: part)
    #expect(text.contains("create or replace function"))
    let sets = try sets(of: part)
    let present = NumberedSet(number: sets.count + 1, hash: try await hash(text))
    #expect(
      sets.last?.hash == present.hash,
      """
      Functions, views or triggers of sql/\(part) have changed. Append this line to sql/\(part)/sets.sql:
      \(present)
      """)
  }

  @Test(arguments: parts)
  func `numbers are 1, 2, 3 and so on, each with a hash`(part: String) throws {
    let sets = try sets(of: part)
    #expect(!sets.isEmpty && sets.map(\.number) == Array(1...sets.count))
    #expect(sets.allSatisfy { $0.hash.count == 16 })
  }

  /// A number says what a database has: a program with another set of that number would take it for its own.
  @Test(.enabled("there is no history here") { try await hasHistory }, arguments: parts)
  func `a line that was committed is never edited`(part: String) async throws {
    let path = "sql/\(part)/sets.sql"
    let committed = NumberedSet.all(in: try await Self.git("show", "HEAD:\(path)") ?? "")
    // The placeholder of a part that has no set yet.
    guard committed != [NumberedSet(number: 1, hash: "0")] else { return }
    let present = try sets(of: part)
    #expect(
      present.starts(with: committed),
      """
      \(path) has to begin as it was committed, with new lines behind:
      \(committed.map(\.description).joined(separator: "\n"))
      """)
  }

  private static var hasHistory: Bool {
    get async throws { try await git("rev-parse", "HEAD") != nil }
  }

  /// What git prints; nil where it fails or is not there.
  private static func git(_ arguments: String...) async throws -> String? {
    let ended = try await TestProcess(
      "/usr/bin/env", ["git", "-c", "safe.directory=*", "-C", root.path()] + arguments,
      environment: ["PATH": "/usr/local/bin:/usr/bin:/bin"], directory: "/"
    ).wait()
    return ended.status == 0 ? ended.output : nil
  }
}
