import Foundation

/// Checks whether mutants match the source tree.
///
/// The check is fast enough for every run of the tests.
struct MutantCheck {
  private let mutants: [Mutant]
  private let root: URL

  /// Returns a sentence for each mismatch.
  static func problems(of mutants: [Mutant], in root: URL) -> [String] {
    let check = MutantCheck(mutants: mutants, root: root)
    return check.wrongKinds + check.misplaced + check.replacedLater + check.ambiguous
      + check.missingTests
  }

  private var wrongKinds: [String] {
    mutants.filter { mutant in
      mutant.edits.contains { ($0.kind == .sql) != $0.file.hasSuffix(".sql") }
    }.map {
      "\($0.place): mutant '\($0.name)': 'file' is for SQL, 'expression' and 'statement' for Swift"
    }
  }

  /// Old texts that do not exist exactly once, or that overlap.
  private var misplaced: [String] {
    Set(mutants.flatMap { $0.edits.map(\.file) }).sorted().flatMap { file -> [String] in
      let concerned = mutants.filter { $0.edits.contains { $0.file == file } }
      guard let text = text(of: file) else {
        return concerned.map { "\($0.place): mutant '\($0.name)': there is no file \(file)" }
      }
      let alone = concerned.compactMap { mutant in
        problem { _ = try Weaving.replaced(text, in: file, by: mutant) }
      }
      guard alone.isEmpty, file.hasSuffix(".swift") else { return alone }
      return [problem { _ = try Weaving.woven(text, in: file, by: concerned) }].compactMap(\.self)
    }
  }

  /// Changes of a definition that another file replaces, so that they have no effect.
  ///
  /// A later migration of the part can replace it, and so can the part's functions, views and
  /// triggers, which are created last.
  private var replacedLater: [String] {
    mutants.flatMap { mutant in
      mutant.edits.compactMap { edit in
        guard edit.file.contains("/migrations/"),
          let definition = text(of: edit.file).flatMap({ Self.definition(of: edit.old, in: $0) }),
          let next = definitions(behind: edit.file).last(where: { file in
            ["create ", "create or replace "].contains {
              text(of: file)?.contains($0 + definition) == true
            }
          })
        else { return nil }
        return
          "\(mutant.place): mutant '\(mutant.name)': \(next) replaces the \(definition) of "
          + "\(edit.file): change it there"
      }
    }
  }

  /// Returns the files that are executed after a migration, in order.
  private func definitions(behind migration: String) -> [String] {
    let part = migration.split(separator: "/").prefix(2).joined(separator: "/")
    return ["migrations", "functions", "views", "triggers"].flatMap { folder in
      files(in: "\(part)/\(folder)").filter { folder != "migrations" || $0 > migration }
    }
  }

  /// Returns whether two files can be in one schema.
  ///
  /// Every product has the engine's parts in addition to its own.
  private func meets(_ one: String, _ other: String) -> Bool {
    let parts = [one, other].map {
      $0.split(separator: "/").dropFirst().first.map(String.init) ?? ""
    }
    return parts[0] == parts[1] || parts.contains { Self.engine.contains($0) }
  }

  private static let engine: Set = ["runner", "identity", "bench"]

  /// Files with the same statement name, because a mutant would change all of them.
  ///
  /// The files of another product do not count, because the tests' schema never contains it.
  private var ambiguous: [String] {
    mutants.flatMap { mutant in
      mutant.edits.filter { $0.kind == .sql }.compactMap { edit in
        let name = Self.statement(of: edit.file)
        let others = files(in: "sql").map { "\($0)/\(name).sql" }
          .filter { $0 != edit.file && meets($0, edit.file) && text(of: $0) != nil }
        return others.first.map {
          "\(mutant.place): mutant '\(mutant.name)': \($0) and \(edit.file) have one statement name"
        }
      }
    }
  }

  /// Returns `queue/claim` for `sql/runner/queue/claim.sql`.
  static func statement(of file: String) -> String {
    String(file.split(separator: "/").dropFirst(2).joined(separator: "/").dropLast(".sql".count))
  }

  private func files(in folder: String) -> [String] {
    let path = root.appending(path: folder).path()
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return names.sorted().map { "\(folder)/\($0)" }
  }

  /// Returns `function f(`, `view v` or `trigger t`, whose definition contains the text, or nil if
  /// no definition contains it.
  private static func definition(of old: String, in text: String) -> String? {
    guard let place = text.range(of: old),
      let start = text[..<place.upperBound].matches(
        of: /create (?:or replace )?(function \w+\(|view \w+|trigger \w+)/
      ).last(where: { $0.range.lowerBound <= place.lowerBound })
    else { return nil }
    let between = text[start.range.lowerBound..<place.lowerBound]
    // A body ends after the second $$, and a view ends after a semicolon outside a body.
    let isInside =
      switch between.ranges(of: "$$").count {
      case 0: !between.contains(";")
      case 1: true
      default: false
      }
    return isInside ? String(start.output.1) : nil
  }

  /// Named tests that do not exist.
  private var missingTests: [String] {
    let folder = root.appending(path: "Tests")
    let paths = FileManager.default.enumerator(atPath: folder.path())?.compactMap { $0 as? String }
    var suites: [String: [Substring]] = [:]
    for path in paths ?? [] where path.contains(/Tests(\+\w+)?\.swift$/) {
      for (suite, names) in Self.tests(in: text(of: "Tests/\(path)") ?? "") {
        suites[suite, default: []] += names
      }
    }
    return mutants.flatMap { mutant in
      mutant.tests.filter { test in
        guard let names = suites[test.suite] else { return true }
        return test.beginning.map { beginning in !names.contains { $0.hasPrefix(beginning) } }
          ?? false
      }.map { "\(mutant.place): mutant '\(mutant.name)': there is no test '\($0)'" }
    }
  }

  /// Returns the names of the tests in each suite of a file.
  ///
  /// A file may contain several suites. Each line is read only once, because a search of all files
  /// for each of a thousand mutants takes half a minute.
  private static func tests(in text: String) -> [String: [Substring]] {
    var suites: [String: [Substring]] = [:]
    var suite: (name: String, end: String)?
    for line in text.utf8.split(separator: UInt8(ascii: "\n")).map(Substring.init) {
      if let (name, end) = suite {
        if line == end {
          suite = nil
        } else if let start = line.firstRange(of: "func `") {
          suites[name, default: []].append(line[start.upperBound...])
        }
      } else if line.hasSuffix(" {"),
        let start = ["struct ", "extension "].lazy.compactMap({ line.firstRange(of: $0) }).first
      {
        let name = String(line[start.upperBound...].dropLast(2))
        suites[name, default: []] += []
        // A suite in `#if` is indented.
        suite = (name, line.prefix { $0 == " " } + "}")
      }
    }
    return suites
  }

  private func text(of file: String) -> String? {
    try? String(contentsOf: root.appending(path: file), encoding: .utf8)
  }

  private func problem(_ body: () throws -> Void) -> String? {
    do {
      try body()
      return nil
    } catch {
      return "\(error)"
    }
  }
}
