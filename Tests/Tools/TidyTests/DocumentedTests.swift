import Foundation
import TestSupport

/// The tests that pages name to show a statement.
enum DocumentedTests {
  static let root = Checkout.root

  /// Returns the tests that a page names, as `Suite` or `Suite: beginning of a name`.
  static func named(in page: String) throws -> [(suite: String, beginning: String)] {
    try Checkout.text(page).matches(of: /`(\w+Tests)(?:: ([^`]+))?`/).map {
      (String($0.output.1), String($0.output.2 ?? ""))
    }
  }

  /// Returns the named tests that no file contains.
  static func missing(_ named: [(suite: String, beginning: String)]) throws -> [String] {
    let suites = try suites()
    return named.filter { test in
      suites[test.suite]?.contains { $0.hasPrefix(test.beginning) } != true
    }.map { "\($0.suite): \($0.beginning)" }
  }

  /// Returns the suites with their tests, which are in the lines after the suite.
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
