import TestSupport
import Testing

/// Tests that the README of `Examples/invoices` contains the current numbers of lines.
@Suite(.ownThreads) struct InvoicesPageTests {
  private static let folder = "Examples/invoices"

  /// Returns the number of lines of a file without comments and blank lines.
  private func lines(of path: Substring) throws -> Int {
    try Checkout.text("\(Self.folder)/\(path)").split(separator: "\n").count { line in
      let code = line.drop(while: \.isWhitespace)
      return !code.isEmpty && !code.hasPrefix("//") && !code.hasPrefix("--")
    }
  }

  @Test func `the page counts the lines of each job`() throws {
    let rows = try Checkout.text("\(Self.folder)/README.md").split(separator: "\n")
      .filter { $0.hasPrefix("| [`") }
    #expect(rows.count == 6)
    for row in rows {
      let cells = row.split(separator: "|").map { $0.trimmingPrefix(while: \.isWhitespace) }
      let files = cells[0].matches(of: /\]\(([^)]+)\)/).map(\.output.1)
      let swift = try files.filter { $0.hasSuffix(".swift") }.map(lines).reduce(0, +)
      let sql = try files.filter { $0.hasSuffix(".sql") }.map(lines).reduce(0, +)
      #expect(cells[2] == "\(swift) " && cells[3] == "\(sql) ", "\(swift), \(sql): \(row)")
    }
  }
}
