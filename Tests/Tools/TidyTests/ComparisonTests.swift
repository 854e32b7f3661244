import TestSupport
import Testing

/// Tests that existing tests show the statements about Baton in docs/concepts/comparison.md.
@Suite(.ownThreads) struct ComparisonTests {
  private static let page = "docs/concepts/comparison.md"

  @Test func `each test that the comparison names is there`() throws {
    let named = try DocumentedTests.named(in: Self.page)
    #expect(named.count > 50)
    let missing = try DocumentedTests.missing(named)
    #expect(missing == [])
  }

  @Test func `every row of a table has all columns`() throws {
    let rows = try Checkout.text(Self.page).split(separator: "\n")
      .filter { $0.hasPrefix("|") }
    #expect(rows.count > 50)
    for row in rows { #expect(row.filter { $0 == "|" }.count == 9, "\(row)") }
  }
}
