import Foundation
import TestSupport

@testable import guide

/// The places in which the Swift code of pages is compiled.
struct CompiledPlaces {
  /// The reason why a block counts as compiled, and its place.
  enum Place: Equatable {
    /// The block is a piece of the file that the page links before it.
    case piece(of: String)
    /// Each paragraph of the block is in a test that names the page.
    case tried(by: String)
    /// The block is a file that the steps of the page create, in a copy that is then built.
    case made(String)
    /// The block contains lines of a manifest, with existing products.
    case manifest
  }

  static let root = Checkout.root

  /// The files of the source tree by their path, without build products and hidden files.
  static let files: [String] = {
    let all = FileManager.default.enumerator(atPath: root.path())?.compactMap { $0 as? String }
    return (all ?? []).filter { path in
      !path.split(separator: "/").contains { $0.hasPrefix(".") }
    }.sorted()
  }()

  /// The texts of `Documented...Tests.swift`, by their path.
  private let tests: [String: String]
  private let products: Set<String>
  /// The files of the section that `AddAJobTests` follow.
  private let made: [String: String]

  init() throws {
    let paths = Self.files.filter { $0.contains(/^Tests\/.*\/Documented\w+Tests\.swift$/) }
    tests = Dictionary(
      uniqueKeysWithValues: try paths.map { ($0, try Checkout.text($0)) })
    let products = try Checkout.text("Package.swift")
      .matches(of: /\n    \.(?:library|plugin)\(\s*name: "(\w+)"/)
    self.products = Set(products.map { String($0.output.1) })
    let guide = try Guide(
      try Checkout.text("CONTRIBUTING.md"), section: "Add a job in five minutes")
    let steps = guide.steps.compactMap { step -> (String, String)? in
      guard case .write(let path, let text) = step else { return nil }
      return (path, text)
    }
    made = Dictionary(uniqueKeysWithValues: steps)
  }

  /// Returns the place in which a block is compiled, or nil if it is not compiled.
  func place(of block: QuotedBlock) throws -> Place? {
    if isManifest(block) { return .manifest }
    if let file = block.file, block.isPiece(of: try Checkout.text(file)) { return .piece(of: file) }
    if block.page == "CONTRIBUTING.md",
      let file = made.first(where: { $0.value == block.text + "\n" })
    {
      return .made(file.key)
    }
    let test = tests.sorted { $0.key < $1.key }.first { _, source in
      let source = QuotedBlock.paragraphs(of: source).joined(separator: "\n\n")
      return source.contains(block.page) && !block.paragraphs.isEmpty
        && block.paragraphs.allSatisfy { source.contains($0) }
    }
    return test.map { .tried(by: $0.key) }
  }

  private func isManifest(_ block: QuotedBlock) -> Bool {
    !block.lines.isEmpty
      && block.lines.allSatisfy { line in
        line.wholeMatch(of: /\.product\(name: "(\w+)", package: "baton"\),?(?: +\/\/.*)?/)
          .map { products.contains(String($0.output.1)) } == true
      }
  }
}
