import Foundation
import TestSupport
import Testing

/// Tests that the code on pages is compiled.
///
/// Each block of Swift is a piece of the linked file before it, or is in a test that names the page
/// and runs it.
@Suite(.ownThreads) struct QuoteTests {
  private static let pages = CompiledPlaces.files.filter { $0.hasSuffix(".md") }

  /// The places are read once, because they contain all sources.
  private static let places = Result { try CompiledPlaces() }

  private static func blocks(of page: String) throws -> [QuotedBlock] {
    try QuotedBlock.all(of: "swift", in: try Checkout.text(page), at: page)
  }

  @Test func `every block of Swift in every page is compiled`() throws {
    let places = try Self.places.get()
    var found: [CompiledPlaces.Place] = []
    for block in try Self.pages.flatMap(Self.blocks) {
      let place = try places.place(of: block)
      #expect(
        place != nil,
        """
        \(block.page): neither \(block.file ?? "a file, as none is linked before it,") nor a \
        Documented...Tests.swift that names the page has
        \(block.text)
        """)
      if let place { found.append(place) }
    }
    // Blocks of each kind exist, so the search finds them.
    #expect(
      Self.pages.contains("README.md")
        && Self.pages.contains("docs/internals/decisions/\(Self.first)"))
    #expect(found.count > 25 && found.contains(.manifest))
    #expect(found.contains(.piece(of: "Examples/orders/Sources/Orders/TellWarehouse.swift")))
    #expect(found.contains(.tried(by: "Tests/Engine/JobRunnerTests/DocumentedJobTests.swift")))
    #expect(found.contains(.made("Sources/Orders/PrintLabels.swift")))
  }

  private static let first = "0001-one-primary-key-for-ready-and-running.md"

  @Test(arguments: [
    "let a = 1", "", ".product(name: \"Nothing\", package: \"gymrats\")",
    ".product(name: \"Live\", package: \"gymrats\")\nlet a = 1",
    "[Link](../jobs/challenges/Jobs.swift)\n```swift\nlet a = 1",
  ])
  func `a page with a block that is nowhere is noticed`(text: String) throws {
    let page = text.hasPrefix("[") ? "\(text)\n```\n" : "```swift\n\(text)\n```\n"
    let blocks = try QuotedBlock.all(of: "swift", in: page, at: "docs/page.md")
    #expect(blocks.count == 1)
    let places = try Self.places.get()
    for block in blocks { #expect(try places.place(of: block) == nil) }
  }

  @Test func `a block counts in the page that its test names, and there alone`() throws {
    let places = try Self.places.get()
    let text =
      "```swift\ntry await transaction.enqueue("
      + "RunRequest(SendLetter(to: \"Ann\", stamps: 1), key: 7))\n```\n"
    for (page, isFound) in [("docs/guides/jobs.md", true), ("docs/gymrats/weeks.md", false)] {
      let block = try #require(try QuotedBlock.all(of: "swift", in: text, at: page).first)
      let place = try places.place(of: block)
      #expect((place != nil) == isFound, "\(page)")
    }
  }

  @Test func `a block has the last file before it, and no indentation of its own`() throws {
    let page = """
      [A file](JobCore.swift), [not a file](https://example.org/a.swift), [text](../sql/then.sql)

         ```swift
         func a() {

           b()
         ```
      ```sql
      select
      ```
      """
    let blocks = try ["swift", "sql"].flatMap {
      try QuotedBlock.all(of: $0, in: page, at: "docs/page.md")
    }
    #expect(blocks.map(\.text) == ["func a() {\n\n  b()", "select"])
    #expect(blocks.map(\.file) == ["docs/JobCore.swift", "sql/then.sql"])
    #expect(blocks[0].paragraphs == ["func a() {", "b()"])
  }

  @Test(arguments: [
    ("func a() {\n  b()\n}\n", true), ("struct S {\n  func a() {\n    b()\n  }\n}", true),
    ("func a() {\n  b()\n\n}\n", false), ("func a() {\n  b()\n} // c\n", false),
    ("  func a() {\n  b()\n}\n", false),
  ])
  func `a piece is whole lines, indented by as much`(source: String, isPiece: Bool) {
    let block = QuotedBlock(page: "", lines: ["func a() {", "  b()", "}"], file: nil)
    #expect(block.isPiece(of: source) == isPiece)
    let head = QuotedBlock(page: "", lines: ["func a()"], file: nil)
    #expect(head.isPiece(of: source))
  }
}
