import Foundation

/// A block of code in a page, without the indentation of its fence.
struct QuotedBlock {
  let page: String
  let lines: [String]
  /// The last file in the block's language that the page links before it, as a path from the root.
  let file: String?

  var text: String { lines.joined(separator: "\n") }

  /// The paragraphs between empty lines, without their indentation.
  var paragraphs: [String] { Self.paragraphs(of: text) }

  static func paragraphs(of text: String) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.trimmingCharacters(in: .whitespaces) }
      .split(separator: "").map { $0.joined(separator: "\n") }
  }

  /// Returns the blocks of a language in a page, in order.
  static func all(of language: String, in text: String, at page: String) throws -> [QuotedBlock] {
    let link = try Regex(
      #"\]\(([^)#:]+\.\#(language))\)"#, as: (Substring, Substring).self)
    let folder = URL(filePath: "/\(page)").deletingLastPathComponent()
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)[...]
    var blocks: [QuotedBlock] = []
    var file: String?
    while let line = lines.popFirst() {
      guard let fence = line.wholeMatch(of: /( *)```(\w*)/) else {
        let linked = line.matches(of: link).last.map {
          folder.appending(path: String($0.output.1)).standardized.path(percentEncoded: false)
        }
        file = linked.map { String($0.dropFirst()) } ?? file
        continue
      }
      let block = lines.prefix { $0 != "\(fence.1)```" }
      lines = lines.dropFirst(block.count + 1)
      guard fence.2 == language else { continue }
      let code = block.map { String($0.dropFirst(fence.1.count)) }
      blocks.append(QuotedBlock(page: page, lines: code, file: file))
    }
    return blocks
  }

  /// Returns whether the block is a piece of a text: consecutive whole lines, all indented by the
  /// same amount.
  ///
  /// The head of a function or a type without its `{` is also a piece.
  func isPiece(of source: String) -> Bool {
    let source = "\n\(source)\n"
    return !paragraphs.isEmpty
      && [0, 2, 4, 6, 8].contains { width in
        let indentation = String(repeating: " ", count: width)
        let piece = lines.map { $0.isEmpty ? "" : indentation + $0 }.joined(separator: "\n")
        return source.contains("\n\(piece)\n") || source.contains("\n\(piece) {\n")
      }
  }
}
