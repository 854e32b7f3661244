import Foundation
import TestSupport
import Testing

/// Tests that no table grows forever: docs/guides/operating.md lists the operations that delete the
/// rows of each table, and a statement that deletes these rows exists.
@Suite(.ownThreads) struct TableDeletionTests {
  /// A table of the page, in the order of the page.
  private enum Part: String, CaseIterable {
    case engine = "the engine"
    case gymRats = "GymRats"
    case whosThere = "Who's There"

    /// The folders of `sql` with the migrations of the tables.
    var folders: [String] {
      switch self {
      case .engine: ["runner", "identity"]
      case .gymRats: ["challenges"]
      case .whosThere: ["presence"]
      }
    }
  }

  private static func files(of part: Part) throws -> [String] {
    try part.folders.flatMap { folder in
      try FileManager.default.subpathsOfDirectory(
        atPath: Checkout.root.appending(path: "sql/\(folder)").path(percentEncoded: false)
      ).filter { $0.hasSuffix(".sql") }.map { "sql/\(folder)/\($0)" }
    }
  }

  /// Returns the tables that the migrations and the migrator create, with their definitions.
  private static func created(by part: Part) throws -> [String: String] {
    var tables: [String: String] = [:]
    for path in try files(of: part)
    where path.contains("/migrations/") || path.contains("/migrator/") {
      let text = try Checkout.text(path).replacing(/--[^\n]*/, with: "")
      for match in text.matches(of: /create table (?:if not exists )?(\w+)\s*(\([^;]*)/) {
        tables[String(match.1)] = String(match.2)
      }
    }
    return tables
  }

  /// Returns the tables of a part that the page lists, with the second column of the row.
  private static func listed(for part: Part) throws -> [(table: String, deletion: String)] {
    let page = try Checkout.text("docs/guides/operating.md")
    let start = try #require(page.firstRange(of: "| Tables of \(part.rawValue) |"))
    return page[start.upperBound...].split(separator: "\n", omittingEmptySubsequences: false)
      .prefix { $0.hasPrefix("|") || $0.hasPrefix(" ") }.dropFirst(2).flatMap { line in
        let cells = line.split(separator: "|").map(String.init)
        return (cells.first ?? "").matches(of: /`(\w+)`/)
          .map { (table: String($0.1), deletion: cells.dropFirst().first ?? "") }
      }
  }

  @Test(arguments: Part.allCases.map(\.rawValue))
  func `the page lists each table once`(part: String) throws {
    let part = try #require(Part(rawValue: part))
    let created = try Self.created(by: part)
    #expect(created.count > 18)
    #expect(try Self.listed(for: part).map(\.table).sorted() == created.keys.sorted())
  }

  @Test(arguments: Part.allCases.map(\.rawValue))
  func `each listed table has a statement that deletes its rows`(part: String) throws {
    let part = try #require(Part(rawValue: part))
    let created = try Self.created(by: part)
    let statements = try Self.files(of: part).filter {
      !["/migrations/", "/bench/", "/demo/", "/replay/"].contains(where: $0.contains)
    }.map { try Checkout.text($0).replacing(/--[^\n]*/, with: "") }.joined(separator: "\n")
    // Partitions and the tables of the event log are emptied by name.
    let truncated = ["event_0", "event_1", "event_2", "run_history", "notification", "message"]
    for (table, deletion) in try Self.listed(for: part) where !deletion.contains("Never") {
      let isDeleted = try statements.contains(Regex("delete from \(table)\\b"))
      #expect(
        isDeleted || truncated.contains(table)
          || created[table]?.contains("on delete cascade") == true,
        "no statement deletes rows of \(table)")
    }
  }

  /// Returns the text of a page from a heading to the next heading of any level.
  private static func section(_ heading: String, of page: String) throws -> Substring {
    let text = try Checkout.text(page)
    let start = try #require(text.firstRange(of: "\n\(heading)\n"))
    let rest = text[start.upperBound...]
    return rest[..<(rest.firstRange(of: "\n#")?.lowerBound ?? rest.endIndex)]
  }

  @Test func `the page lists each setting with a maximum age of stored data`() throws {
    // These ages limit how long an object is valid, or how late a push is sent.
    let others: Set = ["session_age", "invite_age", "push_age"]
    let section = try Self.section("## Retention", of: "docs/guides/operating.md")
    var found = 0
    for part in Part.allCases {
      for path in try Self.files(of: part) where path.contains("/migrations/") {
        for match in try Checkout.text(path).matches(of: /(\w+_age) interval\b/)
        where !others.contains(String(match.1)) {
          found += 1
          #expect(section.contains("setting.\(match.1)`"), "\(path): \(match.1)")
        }
      }
    }
    #expect(found > 12)
  }

  @Test(arguments: [Part.gymRats.rawValue, Part.whosThere.rawValue])
  func `the page about privacy lists each table with ids of users`(part: String) throws {
    let part = try #require(Part(rawValue: part))
    let section = try Self.section("### \(part.rawValue)", of: "docs/reference/privacy.md")
    let personal = try Self.created(by: part).filter {
      $0.key == "users" || $0.value.contains(/\busers\b|\buser_id\b/)
    }
    #expect(personal.count > 15)
    for table in personal.keys.sorted() {
      #expect(section.contains("`\(table)`"), "\(table) is missing")
    }
  }
}
