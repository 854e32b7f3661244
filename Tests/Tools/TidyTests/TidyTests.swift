import Foundation
import TestSupport
import Testing

/// Tests the source tree: sizes, headers and links, and that it contains no unexpected files.
@Suite(.ownThreads) struct TidyTests {
  private static let root = Checkout.root

  /// The files below the root by their path, without build products and hidden files.
  private static let files: [String] = {
    let all = FileManager.default.enumerator(atPath: root.path())?.compactMap { $0 as? String }
    return (all ?? []).filter { path in
      var isFolder: ObjCBool = false
      let full = root.appending(path: path).path()
      return !path.split(separator: "/").contains { $0.hasPrefix(".") }
        && FileManager.default.fileExists(atPath: full, isDirectory: &isFolder)
        && !isFolder.boolValue
    }
  }()

  @Test func `the top level holds what it should and nothing else`() throws {
    let allowed: Set = [
      "Package.swift", "Package.resolved", "Sources", "Tests", "jobs", "sql", "docker-compose.yml",
      "Examples", "README.md", "docs", "Makefile", "Dockerfile", "CHANGELOG.md", "CONTRIBUTING.md",
      "LICENSE",
    ]
    let top = try FileManager.default.contentsOfDirectory(atPath: Self.root.path())
      .filter { !$0.hasPrefix(".") }
    #expect(Set(top).subtracting(allowed).isEmpty)
  }

  @Test func `no source file is longer than 400 lines`() throws {
    // The files in `Tests/Golden` are generated, and grow with the schema.
    for path in Self.files where path.hasSuffix(".swift") || path.hasSuffix(".sql") {
      guard !path.hasPrefix("Tests/Golden/") else { continue }
      let lines = try Checkout.text(path).split(separator: "\n", omittingEmptySubsequences: false)
      #expect(lines.count <= 401, "\(path) has \(lines.count) lines")
    }
  }

  @Test func `every statement says what it does, what it returns and what it locks`() throws {
    // Statements that create a schema return no rows, and only the migrator executes them. The
    // files in `raw` were copied, and must not be edited.
    let schema: Set = ["migrations", "functions", "views", "triggers", "access"]
    for path in Self.files where path.hasPrefix("sql/") && path.hasSuffix(".sql") {
      let folders = path.split(separator: "/").map(String.init)
      guard folders.count > 3, folders[2] != "raw" else { continue }
      let header = try Checkout.text(path).split(separator: "\n").prefix { $0.hasPrefix("--") }
      #expect(!header.isEmpty && header.count <= 8, "\(path)")
      guard !schema.contains(folders[2]) else { continue }
      let words = header.joined(separator: " ")
      #expect(words.contains("Rows:") && words.contains("Locks:"), "\(path)")
    }
  }

  @Test func `migrations of a part are numbered without a gap and named by verb and object`() {
    let migrations = Self.files.filter { $0.firstMatch(of: /^sql\/\w+\/migrations\//) != nil }
    let parts = Dictionary(grouping: migrations) { $0.split(separator: "/")[1] }
    #expect(Set(parts.keys).isSuperset(of: ["runner", "identity", "challenges"]))
    for paths in parts.values {
      for (index, path) in paths.sorted().enumerated() {
        let number = String(format: "%04d_", index + 1)
        #expect(path.split(separator: "/").last?.hasPrefix(number) == true, "\(path)")
      }
    }
  }

  @Test func `every link in the documents leads somewhere`() throws {
    let link = /\]\(([^)#:]+)\)/
    for path in Self.files where path.hasSuffix(".md") {
      let folder = Self.root.appending(path: path).deletingLastPathComponent()
      for match in try Checkout.text(path).matches(of: link) {
        let target = folder.appending(path: String(match.1)).standardized.path()
        #expect(FileManager.default.fileExists(atPath: target), "\(path): \(match.1)")
      }
    }
  }

  @Test func `every link to a heading leads to one`() throws {
    var count = 0
    for path in Self.files where path.hasSuffix(".md") {
      let folder = Self.root.appending(path: path).deletingLastPathComponent()
      for match in try Checkout.text(path).matches(of: /\]\(([^)#:]*)#([^)]+)\)/) {
        let target =
          match.1.isEmpty
          ? Self.root.appending(path: path) : folder.appending(path: String(match.1)).standardized
        guard target.pathExtension == "md" else { continue }
        count += 1
        let headings = try String(contentsOf: target, encoding: .utf8)
          .matches(of: /(?m)^#+ (.+)$/).map { Self.anchor(of: $0.1) }
        #expect(headings.contains(String(match.2)), "\(path): \(match.1)#\(match.2)")
      }
    }
    #expect(count > 100)
  }

  /// Returns the anchor that GitHub gives to a heading.
  private static func anchor(of heading: Substring) -> String {
    String(
      heading.lowercased().compactMap { letter -> Character? in
        if letter == " " { return "-" }
        return letter.isLetter || letter.isNumber || letter == "-" || letter == "_" ? letter : nil
      })
  }

  @Test func `nothing is left for later`() throws {
    let marks = ["TO" + "DO", "FIX" + "ME", "X" + "XX:"]
    for path in Self.files where [".swift", ".sql", ".md"].contains(where: path.hasSuffix) {
      let text = try Checkout.text(path)
      for mark in marks { #expect(!text.contains(mark), "\(path): \(mark)") }
    }
  }
}
