import Foundation
import TestSupport
import Testing

@testable import mutants

/// Tests in every run that the mutants of `Tests/Tools/Mutants` match the source tree.
@Suite(.ownThreads) struct MutantTests {
  private static let root = Checkout.root

  private static let text = """
    # What is here.

    mutant: no-lock
    defence: one at a time
    change: no lock
    fails: LockTests: two at
    fails: OtherTests
    hangs: 9
    survives: nobody looks
    file: sql/a.sql
    <<<
    for update
    ===
    >>>
    expression: Sources/A/A.swift
    <<<
    a > 0
    ===
    true
    >>>

    """

  @Test func `each old text is there once, and each test that it names`() throws {
    let mutants = try MutantFile.all(in: Self.root)
    #expect(mutants.count > 100)
    #expect(MutantCheck.problems(of: mutants, in: Self.root) == [])
  }

  @Test func `the files with the mutants can be parsed`() throws {
    #expect(try MutantSyntax.errors(of: MutantFile.all(in: Self.root), in: Self.root) == [])
  }

  @Test func `a mutant of a fragment changes the statements that include the fragment`()
    throws
  {
    let sql = try MutantSQL(root: Self.root)
    let mutants = try MutantFile.all(in: Self.root)
    for mutant in mutants where mutant.edits.contains(where: { $0.file.contains("/fragments/") }) {
      let statements = try sql.statements(of: mutant)
      #expect(!statements.isEmpty, "\(mutant.place): \(mutant.name)")
      #expect(statements.values.allSatisfy { !$0.contains("-- include: ") }, "\(mutant.name)")
    }
    let merge = try #require(
      mutants.first { $0.edits.contains { $0.file.hasSuffix("/merge_run.sql") } })
    #expect(try sql.statements(of: merge).keys.contains("queue/fold"))
  }

  @Test func `a statement in place of an expression is a syntax error`() throws {
    let text = "let a = 1\nlet isMore = a > 0\n"
    let root = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: root) }
    let file = root.appending(path: "Sources/A/A.swift")
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
    for (new, isRight) in [("true", true), ("if true {", false)] {
      let mutants = try MutantFile.parse(
        Self.text.replacing("===\ntrue", with: "===\n\(new)"), path: "x.txt")
      #expect(try MutantSyntax.errors(of: mutants, in: root).isEmpty == isRight)
    }
  }

  @Test func `a block is read as it stands there`() throws {
    let mutant = try #require(try MutantFile.parse(Self.text, path: "x.txt").first)
    #expect(mutant.name == "no-lock" && mutant.hangs == 9 && mutant.place == "x.txt:3")
    #expect(mutant.survives == "nobody looks")
    #expect(mutant.tests.map(\.filter) == ["\\.LockTests/`?two at", "\\.OtherTests/"])
    #expect(
      mutant.edits == [
        .init(file: "sql/a.sql", kind: .sql, old: "for update", new: ""),
        .init(file: "Sources/A/A.swift", kind: .expression, old: "a > 0", new: "true"),
      ])
  }

  @Test(arguments: [
    ("hangs: 9", "hang: 9", "x.txt:8"), ("===", "==", "x.txt:11"),
    ("defence: one at a time\n", "", "x.txt:3"), ("file: sql/a.sql\n", "", "x.txt:10"),
    (">>>\nexpression", "mutant: other\nexpression", "x.txt:11"),
  ])
  func `what is wrong with a block is said with its line`(old: String, new: String, place: String) {
    let error = #expect(throws: MutantError.self) {
      try MutantFile.parse(Self.text.replacing(old, with: new), path: "x.txt")
    }
    #expect(error?.description.hasPrefix(place) == true)
  }

  @Test(arguments: [("select 1", 0), ("select 1 for update for update", 2)])
  func `an old text that is not there once is an error that names mutant and file`(
    text: String, times: Int
  ) throws {
    let mutant = try #require(try MutantFile.parse(Self.text, path: "x.txt").first)
    let error = #expect(throws: MutantError.self) {
      try Weaving.replaced(text, in: "sql/a.sql", by: mutant)
    }
    #expect(
      error?.description.contains("'no-lock': its old text is \(times) times in sql/a.sql") == true)
  }

  @Test func `places of Swift become choices, of several mutants too`() throws {
    let expression = try #require(try MutantFile.parse(Self.text, path: "x.txt").first)
    let other = try #require(
      try MutantFile.parse(
        Self.text.replacing("no-lock", with: "b").replacing("true", with: "a < 0"), path: "x.txt"
      ).first)
    let woven = try Weaving.woven(
      "return a > 0 ? 1 : 2", in: "Sources/A/A.swift", by: [expression, other])
    #expect(
      woven
        == #"return (Mutant.isOn("no-lock") ? (true) : Mutant.isOn("b") ? (a < 0) : (a > 0)) ? 1 : 2"#
    )
    #expect(
      try Weaving.replaced("select a for update", in: "sql/a.sql", by: expression) == "select a ")
  }

  @Test func `a text that another file replaces, or whose name another has, is no place for one`()
    throws
  {
    let root = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: root) }
    for (path, text) in [
      ("sql/a/migrations/0001_b.sql", "create function f() returns int return 1"),
      ("sql/a/functions/f.sql", "create or replace function f() returns int return 2"),
      ("sql/runner/migrations/0001_b.sql", "select 1"),
      // The file belongs to another product, which has its own schema.
      ("sql/c/migrations/0001_b.sql", "select 1"),
      ("Tests/LockTests.swift", "struct LockTests {"),
    ] {
      let file = root.appending(path: path)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
    let mutants = try MutantFile.parse(
      """
      mutant: one-more
      defence: there is one
      change: there are two
      fails: LockTests
      file: sql/a/migrations/0001_b.sql
      <<<
      return 1
      ===
      return 2
      >>>

      """, path: "x.txt")
    let problems = MutantCheck.problems(of: mutants, in: root)
    try #require(problems.count == 2)
    #expect(problems[0].contains("sql/a/functions/f.sql replaces the function f( of"))
    #expect(
      problems[1].contains("sql/runner/migrations/0001_b.sql and sql/a/migrations/0001_b.sql have"))
    #expect(MutantCheck.statement(of: "sql/runner/queue/claim.sql") == "queue/claim")
  }

  @Test func `the switch of each mutant is a file of the mutant's target`() throws {
    let manifest = try String(
      contentsOf: Self.root.appending(path: "Package.swift"), encoding: .utf8)
    let files = try MutantFile.all(in: Self.root).flatMap { mutant in
      mutant.edits.filter { $0.kind != .sql }.map(\.file)
    }
    #expect(files.count > 100)
    for file in Set(files) {
      let folder = SourceCopy.switchFile(beside: file).dropLast("/Mutant.swift".count)
      let name = folder.split(separator: "/").last ?? ""
      // A target has the name of its folder in Sources. Other files name their folder.
      let isTarget =
        folder.hasPrefix("Sources/")
        ? manifest.contains("\"\(name)\", of: .") : manifest.contains("\"\(folder)\"")
      #expect(isTarget, "\(file): \(folder)")
    }
  }
}
