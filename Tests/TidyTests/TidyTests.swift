import Foundation
import Testing

/// The tree as a stranger finds it: sizes, headers, links, and nothing where it does not belong.
@Suite struct TidyTests {
  private static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().appending(path: "../..").standardized

  /// Files below the root by their path from it, without what is built or hidden.
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

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  @Test func `the top level holds what it should and nothing else`() throws {
    let allowed: Set = [
      "Package.swift", "Package.resolved", "Sources", "Tests", "jobs", "sql", "docker-compose.yml",
      "README.md", "docs", "Makefile", "Dockerfile", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE",
      "Examples",
    ]
    let top = try FileManager.default.contentsOfDirectory(atPath: Self.root.path())
      .filter { !$0.hasPrefix(".") }
    #expect(Set(top).subtracting(allowed).isEmpty)
  }

  @Test func `no source file is longer than 400 lines`() throws {
    for path in Self.files where path.hasSuffix(".swift") || path.hasSuffix(".sql") {
      let lines = try Self.text(path).split(separator: "\n", omittingEmptySubsequences: false)
      #expect(lines.count <= 401, "\(path) has \(lines.count) lines")
    }
  }

  @Test func `every statement says what it does, what it returns and what it locks`() throws {
    // What `sql/raw` holds was copied and is not ours to edit.
    for path in Self.files
    where path.hasPrefix("sql/") && path.hasSuffix(".sql") && !path.hasPrefix("sql/raw/") {
      let header = try Self.text(path).split(separator: "\n").prefix { $0.hasPrefix("--") }
      #expect(!header.isEmpty && header.count <= 8, "\(path)")
      guard !path.hasPrefix("sql/migrations/") else { continue }
      let words = header.joined(separator: " ")
      #expect(words.contains("Rows:") && words.contains("Locks:"), "\(path)")
    }
  }

  @Test func `migrations are numbered without a gap and named by verb and object`() {
    let names = Self.files.filter { $0.hasPrefix("sql/migrations/") }.sorted()
    #expect(!names.isEmpty)
    for (index, path) in names.enumerated() {
      let number = String(format: "%04d_", index + 1)
      #expect(path.dropFirst("sql/migrations/".count).hasPrefix(number), "\(path)")
    }
  }

  @Test func `every link in the documents leads somewhere`() throws {
    let link = /\]\(([^)#:]+)\)/
    for path in Self.files where path.hasSuffix(".md") {
      let folder = Self.root.appending(path: path).deletingLastPathComponent()
      for match in try Self.text(path).matches(of: link) {
        let target = folder.appending(path: String(match.1)).standardized.path()
        #expect(FileManager.default.fileExists(atPath: target), "\(path): \(match.1)")
      }
    }
  }

  @Test func `nothing is left for later`() throws {
    let marks = ["TO" + "DO", "FIX" + "ME", "X" + "XX:"]
    for path in Self.files where [".swift", ".sql", ".md"].contains(where: path.hasSuffix) {
      let text = try Self.text(path)
      for mark in marks { #expect(!text.contains(mark), "\(path): \(mark)") }
    }
  }
}
