import Foundation
import Testing

/// What docs/comparison.md says of Baton is shown by tests that are there.
@Suite struct ComparisonTests {
  private static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().appending(path: "../..").standardized

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  /// Suites with their tests, which stand in the lines behind them.
  private static func suites() throws -> [String: [String]] {
    let all = FileManager.default.enumerator(atPath: root.appending(path: "Tests").path())
    var suites: [String: [String]] = [:]
    for case let path as String in all ?? FileManager.DirectoryEnumerator()
    where path.hasSuffix("Tests.swift") {
      var suite: String?
      for match in try text("Tests/\(path)").matches(of: /struct (\w+Tests)\b|func `([^`]+)`/) {
        suite = match.output.1.map(String.init) ?? suite
        guard let suite else { continue }
        suites[suite, default: []] += match.output.2.map { [String($0)] } ?? []
      }
    }
    return suites
  }

  @Test func `each test that the comparison names is there`() throws {
    let suites = try Self.suites()
    let named = try Self.text("docs/comparison.md").matches(of: /`(\w+Tests)(?:: ([^`]+))?`/)
    #expect(named.count > 50 && suites.count > 100)
    for match in named {
      let (suite, beginning) = (String(match.output.1), String(match.output.2 ?? ""))
      #expect(
        suites[suite]?.contains { $0.hasPrefix(beginning) } == true, "\(suite): \(beginning)")
    }
  }

  @Test func `every row of a table has all columns`() throws {
    let rows = try Self.text("docs/comparison.md").split(separator: "\n")
      .filter { $0.hasPrefix("|") }
    #expect(rows.count > 60)
    for row in rows { #expect(row.filter { $0 == "|" }.count == 9, "\(row)") }
  }
}
