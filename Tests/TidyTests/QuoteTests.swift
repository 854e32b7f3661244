import Foundation
import Testing

/// Code that a page shows is compiled somewhere: each block is a piece of the file that is linked before it.
@Suite struct QuoteTests {
  private static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().appending(path: "../..").standardized

  private struct Quote {
    let file: String
    let text: String
  }

  private struct NoLink: Error, CustomStringConvertible { let description: String }

  /// The blocks of Swift and SQL in a page, each with the last link to a file before it.
  private static func quotes(in page: String, at path: String) throws -> [Quote] {
    let folder = root.appending(path: path).deletingLastPathComponent()
    var file: String?
    var quotes: [Quote] = []
    for (index, piece) in page.components(separatedBy: "```").enumerated() {
      if index.isMultiple(of: 2) {
        let links = piece.matches(of: /\]\(([^)#:]+\.(?:swift|sql))\)/)
        let link = links.last.map { folder.appending(path: String($0.output.1)) }
        file = link?.standardized.path() ?? file
      } else if piece.hasPrefix("swift\n") || piece.hasPrefix("sql\n") {
        let start = piece.split(separator: "\n").dropFirst().first ?? ""
        guard let file else {
          throw NoLink(description: "\(path): no file is linked before '\(start)'")
        }
        quotes.append(Quote(file: file, text: String(piece.drop { $0 != "\n" })))
      }
    }
    return quotes
  }

  @Test(arguments: [("docs/your-own.md", 7), ("Examples/orders/README.md", 0)])
  func `every block is a piece of the file that is linked before it`(
    page: String, least: Int
  ) throws {
    let text = try String(contentsOf: Self.root.appending(path: page), encoding: .utf8)
    let quotes = try Self.quotes(in: text, at: page)
    #expect(quotes.count >= least)
    for quote in quotes {
      let source = "\n" + (try String(contentsOfFile: quote.file, encoding: .utf8))
      #expect(source.contains(quote.text), "\(page): \(quote.file) has no\(quote.text)")
    }
  }

  @Test func `the job in the README is that of its file`() throws {
    let page = try String(contentsOf: Self.root.appending(path: "README.md"), encoding: .utf8)
    let quote = try #require(
      try Self.quotes(in: page, at: "README.md").first { $0.file.contains("/jobs/") })
    let source = try String(contentsOfFile: quote.file, encoding: .utf8)
    #expect(source.contains(quote.text))
  }

  /// Paragraphs: what stands between two empty lines, whatever its indentation.
  private static func paragraphs(of text: String) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.trimmingCharacters(in: .whitespaces) }
      .split(separator: "").map { $0.joined(separator: "\n") }
  }

  @Test(arguments: [("docs/jobs.md", 4), ("docs/testing.md", 1)])
  func `every Swift block of a page is compiled and run by a test`(page: String, least: Int) throws
  {
    let file = "Tests/JobRunnerTests/DocumentedJobTests.swift"
    let source = Self.paragraphs(
      of: try String(contentsOf: Self.root.appending(path: file), encoding: .utf8)
    ).joined(separator: "\n\n")
    let text = try String(contentsOf: Self.root.appending(path: page), encoding: .utf8)
    let blocks = text.components(separatedBy: "```swift\n").dropFirst()
      .compactMap { $0.components(separatedBy: "```").first }
    #expect(blocks.count >= least)
    for paragraph in blocks.flatMap(Self.paragraphs) {
      #expect(source.contains(paragraph), "\(page): \(file) has no\n\(paragraph)")
    }
  }

  @Test func `a block behind no link is noticed, and the others have the last one before them`()
    throws
  {
    let page =
      "It is a file.\n```swift\nlet a = 1\n```\n[Then](../sql/then.sql)\n```sql\nselect\n```\n"
    #expect(throws: NoLink.self) { try Self.quotes(in: page, at: "docs/page.md") }
    let good = try Self.quotes(
      in: page.replacing("a file", with: "[a file](JobCore.swift)"), at: "docs/page.md")
    #expect(good.map(\.text) == ["\nlet a = 1\n", "\nselect\n"])
    #expect(
      good[0].file.hasSuffix("/docs/JobCore.swift") && good[1].file.hasSuffix("/sql/then.sql"))
  }
}
