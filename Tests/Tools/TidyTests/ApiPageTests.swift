import Foundation
import TestSupport
import Testing

/// Tests that docs/gymrats/api.md names each error and each call correctly.
@Suite(.ownThreads) struct ApiPageTests {
  private static let root = Checkout.root
  private static let functions = root.appending(path: "sql/challenges/functions")

  @Test func `each error has the number that stands on the page`() throws {
    let page = try Checkout.text("docs/gymrats/api.md").matches(of: /\| `(\w+)` \| (ZG\d{3}) \|/)
      .map { "\($0.output.1) \($0.output.2)" }
    let raised = try Checkout.text("sql/challenges/functions/refuse.sql")
      .matches(of: /when '(\w+)' then '(ZG\d{3})'/).map { "\($0.output.1) \($0.output.2)" }
    #expect(page == raised)
    #expect(Set(raised.map { $0.suffix(5) }).count == raised.count)
  }

  @Test func `each error that is raised has a number, and each call stands on the page`() throws {
    let errors = try Checkout.text("sql/challenges/functions/refuse.sql")
    let page = try Checkout.text("docs/gymrats/api.md")
    var calls = 0
    for file in try FileManager.default.contentsOfDirectory(atPath: Self.functions.path()) {
      let text = try String(contentsOf: Self.functions.appending(path: file), encoding: .utf8)
      for error in text.matches(of: /refuse\(\s*'(\w+)'/) {
        #expect(errors.contains("when '\(error.output.1)' then"), "\(file): \(error.output.1)")
      }
      guard let call = text.firstMatch(of: /create or replace function (\w+)\(\s*actor text/),
        text.contains("\ncomment on function")
      else { continue }
      calls += 1
      #expect(page.contains("`\(call.output.1)(actor"), "\(file)")
      #expect(text.contains("security definer"), "\(file) needs rights of its caller")
    }
    #expect(calls > 15)
  }

  /// A login that may execute only these calls can do exactly what the page describes.
  @Test func `the role of an API has the functions of the page, and no others`() throws {
    let sections = try Checkout.text("docs/gymrats/api.md").components(separatedBy: "\n## ")
    let ofMembers = sections.filter { !$0.hasPrefix("For the server alone\n") }
    #expect(ofMembers.count == sections.count - 1)
    let page = ofMembers.flatMap { section in
      section.matches(of: /\n\| `(\w+)\(/).map { String($0.output.1) }
    }
    let list = try Checkout.text("sql/challenges/api.sql").split(separator: "\n")
      .filter { !$0.hasPrefix("--") }.joined(separator: "\n")
    let match = list.firstMatch(of: /function\s([a-z0-9_,\s]+)\sto \{role\}/)
    let granted = try #require(match).output.1.split(separator: ",")
      .map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
    #expect(granted.sorted() == page.sorted())
    #expect(granted.count > 25)
    for name in granted {
      let files = ["challenges", "identity", "runner"].compactMap { part in
        try? Checkout.text("sql/\(part)/functions/\(name).sql")
      }
      let text = try #require(files.first, "\(name) is a function of no part")
      #expect(text.contains("security definer"), "\(name)")
      #expect(text.contains(/set search_path from current\b/), "\(name)")
    }
  }
}
