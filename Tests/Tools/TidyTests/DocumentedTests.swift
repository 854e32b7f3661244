import Foundation
import TestSupport

/// Tests that pages name as what shows a claim.
enum DocumentedTests {
  static let root = Checkout.root

  /// `Suite` or `Suite: how a name begins`, as a page has them.
  static func named(in page: String) throws -> [(suite: String, beginning: String)] {
    try Checkout.text(page).matches(of: /`(\w+Tests)(?:: ([^`]+))?`/).map {
      (String($0.output.1), String($0.output.2 ?? ""))
    }
  }

  /// Those that are in no file.
  static func missing(_ named: [(suite: String, beginning: String)]) throws -> [String] {
    let suites = try suites()
    return named.filter { test in
      suites[test.suite]?.contains { $0.hasPrefix(test.beginning) } != true
    }.map { "\($0.suite): \($0.beginning)" }
  }

  /// Suites with their tests, which stand in the lines behind them.
  private static func suites() throws -> [String: [String]] {
    let all = FileManager.default.enumerator(atPath: root.appending(path: "Tests").path())
    var suites: [String: [String]] = [:]
    for case let path as String in all ?? FileManager.DirectoryEnumerator()
    where path.hasSuffix("Tests.swift") {
      var suite: String?
      for match in try Checkout.text("Tests/\(path)").matches(
        of: /struct (\w+Tests)\b|func `([^`]+)`/)
      {
        suite = match.output.1.map(String.init) ?? suite
        guard let suite else { continue }
        suites[suite, default: []] += match.output.2.map { [String($0)] } ?? []
      }
    }
    return suites
  }
}
