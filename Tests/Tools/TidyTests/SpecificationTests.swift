import Foundation
import TestSupport
import Testing

/// Tests that docs/internals/specification.md names only existing files, suites and tests.
@Suite(.ownThreads) struct SpecificationTests {
  private static let page = "docs/internals/specification.md"

  @Test func `each file that a row names is there`() throws {
    let files = try Checkout.text(Self.page)
      .matches(of: /`((?:Sources|sql|jobs|Tests|Examples)\/[^`]+)`/).map { String($0.output.1) }
    #expect(files.count > 80)
    for file in files {
      #expect(
        FileManager.default.fileExists(
          atPath: DocumentedTests.root.appending(path: file).path()), "\(file)")
    }
  }

  @Test func `each test that a row names is there`() throws {
    let named = try DocumentedTests.named(in: Self.page)
    #expect(named.count > 80)
    let missing = try DocumentedTests.missing(named)
    #expect(missing == [])
  }

  @Test func `each row says where, what shows it, or that it is not yet there`() throws {
    let rows = try Checkout.text(Self.page).split(separator: "\n")
      .filter { $0.hasPrefix("| ") && !$0.hasPrefix("| Requirement |") }
      .map { $0.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast() }
      .filter { $0.count == 3 }
    #expect(rows.count > 50)
    for row in rows {
      let cells = row.map { $0.trimmingCharacters(in: .whitespaces) }
      #expect(cells[1].hasPrefix("*not yet*") || cells[1].hasPrefix("`"), "\(cells)")
      #expect(cells[1].hasPrefix("*not yet*") || cells[2].hasPrefix("`"), "\(cells)")
    }
  }
}
