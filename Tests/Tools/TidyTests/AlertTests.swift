import Foundation
import TestSupport
import Testing

/// Tests that each alert has a section for the person that it wakes, and that each section belongs
/// to an alert.
@Suite(.ownThreads) struct AlertTests {
  private static let names = try? Checkout.text("docs/reference/monitoring/alerts.yml")
    .matches(of: /- alert: (\w+)/).map { String($0.output.1) }

  @Test func `each alert has a section, and each section an alert`() throws {
    let names = try #require(Self.names)
    let sections = try Checkout.text("docs/reference/alerts.md").split(separator: "\n## ")
      .dropFirst()
    #expect(!names.isEmpty && sections.map { $0.prefix { $0 != "\n" } + "" } == names)
    for section in sections {
      for part in ["**Symptom.**", "**Likely causes.**", "```sh\n"] {
        #expect(section.contains(part), "\(section.prefix(30)) has no \(part)")
      }
    }
  }

  @Test func `each alert names its section as its runbook`() throws {
    let rules = try Checkout.text("docs/reference/monitoring/alerts.yml")
      .split(separator: "- alert: ").dropFirst()
    for (name, rule) in zip(try #require(Self.names), rules) {
      #expect(
        rule.contains("\n          runbook: \"docs/reference/alerts.md#\(name.lowercased())\"\n"),
        "\(name)")
    }
  }
}
