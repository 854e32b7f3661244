import BatonPostgres
import TestSupport

/// The definition of a whole schema as printed by `pg_dump`, in a fixed order.
///
/// Details that differ between names, servers and days are removed. The order of columns counts.
struct SchemaDump: Equatable {
  let text: String

  /// - Parameter sections: the included sections. The default is all sections.
  /// - Throws: `TestFailure` if the schema cannot be dumped or the dump cannot be parsed.
  static func of(
    _ test: TestSchema, sections: [DumpEntry.Section] = DumpEntry.Section.allCases
  ) async throws -> SchemaDump {
    let name = test.schema.name
    let dumped = try await PostgresProgram.run(
      "pg_dump",
      [
        "-d", test.configuration.through(try TestServer.address).address, "-n", name,
        "--schema-only", "--no-owner", "--no-privileges", "--no-tablespaces",
      ])
    // Without its schema, such a name would mean PostgreSQL's own function. For example, now() has
    // two meanings.
    let shadowed = try await test.sql(
      """
      select distinct f.proname from pg_proc f join pg_proc own on own.proname = f.proname
      where f.pronamespace = '\(name)'::regnamespace
        and own.pronamespace = 'pg_catalog'::regnamespace
      """)
    var entries = DumpEntry.all(in: dumped.renamed(name, shadowed: shadowed))
    for family in PartitionFamily.all(in: entries) { family.collapse(in: &entries) }
    return try SchemaDump(entries, sections)
  }

  private init(_ entries: [DumpEntry], _ sections: [DumpEntry.Section]) throws {
    let unknown = entries.filter { $0.place == nil }.map(\.kind)
    guard unknown.isEmpty else { throw TestFailure("no place in a dump for \(unknown)") }
    var lines: [String] = []
    for section in sections {
      lines += ["", "-- \(section.rawValue)"]
      let own = entries.filter { $0.place?.section == section }
      var last: DumpEntry?
      for entry in own.sorted(by: { $0.order < $1.order }) {
        let isShort = entry.lines.count == 1 && last?.owner == entry.owner
        lines += (isShort ? [] : [""]) + entry.lines
        last = entry
      }
    }
    text = lines.dropFirst().joined(separator: "\n") + "\n"
  }

  init(text: String) { self.text = text }

  /// Returns the first lines that differ, with the expected lines first, or an empty string.
  func difference(from expected: SchemaDump, limit: Int = 30) -> String {
    let own = text.split(separator: "\n", omittingEmptySubsequences: false)
    let other = expected.text.split(separator: "\n", omittingEmptySubsequences: false)
    let changes = own.difference(from: other)
    let lines = changes.map { change -> (Int, String) in
      switch change {
      case .remove(let offset, let line, _): (offset, "line \(offset + 1): - \(line)")
      case .insert(let offset, let line, _): (offset, "line \(offset + 1): + \(line)")
      }
    }
    let shown = lines.sorted { $0.0 < $1.0 }.prefix(limit).map(\.1)
    return (shown + (lines.count > limit ? ["and \(lines.count - limit) lines more"] : []))
      .joined(separator: "\n")
  }
}

extension String {
  /// Removes `name.` before names that only the schema has, and replaces the rest by `gymrats`.
  fileprivate func renamed(_ name: String, shadowed: [String]) -> String {
    var text = self
    for function in shadowed {
      text.replace("\(name).\(function)(", with: "gymrats\u{1}\(function)(")
    }
    text.replace("\(name).", with: "")
    text.replace(name, with: "gymrats")
    return text.replacing("\u{1}", with: ".")
  }
}

/// One object of a dump.
///
/// `pg_dump` writes a comment with its kind before each object.
struct DumpEntry {
  enum Section: String, CaseIterable {
    case types = "Types"
    case tables = "Tables, each with what belongs to it"
    case views = "Views"
    case functions = "Functions"
  }

  let kind: String
  let name: String
  let lines: [String]
  /// The table, view, function or type that the entry belongs to.
  let owner: String
  /// The place of the entry: its section, and its rank among the entries of its owner.
  let place: (section: Section, rank: Int)?

  private static func place(of kind: String, _ name: String) -> (section: Section, rank: Int)? {
    switch kind {
    case "TYPE", "DOMAIN": (.types, 0)
    case "TABLE": (.tables, 0)
    case "SEQUENCE", "DEFAULT": (.tables, 1)
    case "CONSTRAINT", "CHECK CONSTRAINT": (.tables, 2)
    case "FK CONSTRAINT": (.tables, 3)
    case "INDEX": (.tables, 4)
    case "TRIGGER": (.tables, 5)
    case "PARTITIONS": (.tables, 6)
    case "TABLE ATTACH", "INDEX ATTACH": (.tables, 7)
    case "VIEW": (.views, 0)
    case "FUNCTION": (.functions, 0)
    case "COMMENT":
      switch name.split(separator: " ").first {
      case "FUNCTION": (.functions, 1)
      case "VIEW": (.views, 1)
      case "TABLE", "COLUMN", "INDEX", "CONSTRAINT", "TRIGGER": (.tables, 8)
      default: (.types, 1)
      }
    default: nil
    }
  }

  fileprivate var order: (String, Int, String, String) {
    (owner, place?.rank ?? 0, name, kind)
  }

  static func all(in dump: String) -> [DumpEntry] {
    var entries: [(kind: String, name: String, lines: [String])] = []
    for line in dump.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
      // There are thousands of lines. A regular expression for each line and owner would take
      // longer than the dump itself.
      if line.hasPrefix("-- Name: "), let kind = line.ranges(of: "; Type: ").last,
        let rest = line.ranges(of: "; Schema: ").last
      {
        entries.append(
          (
            String(line[kind.upperBound..<rest.lowerBound]),
            String(line[..<kind.lowerBound].dropFirst("-- Name: ".count)), []
          ))
      } else if !entries.isEmpty {
        entries[entries.count - 1].lines.append(line)
      }
    }
    return entries.filter { $0.kind != "SCHEMA" }
      .map { DumpEntry(kind: $0.kind, name: $0.name, lines: tidy($0.lines, of: $0.kind)) }
  }

  init(kind: String, name: String, lines: [String]) {
    self.kind = kind
    self.name = name
    self.lines = lines
    let first = lines.first ?? ""
    let owner =
      switch kind {
      // `FUNCTION now()`, `COLUMN run.due`.
      case "COMMENT", "PARTITIONS": name.drop { $0 != " " }.dropFirst().prefix { $0 != "." }
      case "INDEX", "TRIGGER":
        first.firstRange(of: " ON ").map { Self.table(first[$0.upperBound...]) }
      default: first.hasPrefix("ALTER TABLE ") ? Self.table(first.dropFirst(12)) : nil
      }
    self.owner = owner.map(String.init) ?? name
    place = Self.place(of: kind, name)
  }

  /// Returns the name at the beginning of a text.
  private static func table(_ text: Substring) -> Substring {
    (text.hasPrefix("ONLY ") ? text.dropFirst(5) : text).prefix {
      $0 == "_" || $0.isASCII && ($0.isLowercase || $0.isNumber)
    }
  }

  /// Removes the lines between two entries.
  ///
  /// Entries other than bodies get as few lines as possible.
  private static func tidy(_ lines: [String], of kind: String) -> [String] {
    var rest = lines[...]
    let noise = ["--", "SET default_", "\\unrestrict", "-- PostgreSQL database dump"]
    while let last = rest.last, last.isEmpty || noise.contains(where: last.hasPrefix) {
      rest.removeLast()
    }
    rest = rest.drop { $0.isEmpty || $0 == "--" }
    guard ["SEQUENCE", "CONSTRAINT", "FK CONSTRAINT"].contains(kind) else { return Array(rest) }
    return [
      rest.map { $0.trimmingPrefix { $0 == " " } }.joined(separator: " ")
        .replacing(" START WITH 1 INCREMENT BY 1 NO MINVALUE NO MAXVALUE CACHE 1 )", with: ")")
        .replacing("( SEQUENCE", with: "(SEQUENCE")
    ]
  }
}

/// The numbered partitions of one table.
///
/// Their equal entries are printed once.
private struct PartitionFamily {
  let parent: String
  let numbers: [Int]

  static func all(in entries: [DumpEntry]) -> [PartitionFamily] {
    var numbers: [String: [Int]] = [:]
    for entry in entries where entry.kind == "TABLE ATTACH" {
      if let number = Int(entry.name.dropFirst(entry.owner.count + 1)) {
        numbers[entry.owner, default: []].append(number)
      }
    }
    return numbers.map { PartitionFamily(parent: $0.key, numbers: $0.value.sorted()) }
  }

  /// Leaves all entries unchanged if the partitions differ.
  func collapse(in entries: inout [DumpEntry]) {
    var kept: [DumpEntry] = []
    var own: [Int: [String]] = [:]
    let columns = entries.first { $0.kind == "TABLE" && $0.name == parent }.map(columns) ?? []
    for entry in entries {
      if let number = number(of: entry) {
        own[number, default: []] += [template(of: entry, number, columns)]
      } else {
        kept.append(entry)
      }
    }
    guard let first = own[numbers[0]], own.values.allSatisfy({ Set($0) == Set(first) }) else {
      return
    }
    let what = """
      -- \(parent)_N for N = \(numbers[0]) to \(numbers[numbers.count - 1]), \(numbers.count) \
      partitions: each has its parent's columns, and \(first.sorted().joined(separator: "; "))
      """
    kept.append(DumpEntry(kind: "PARTITIONS", name: "PARTITIONS \(parent)", lines: [what]))
    entries = kept
  }

  /// Returns the partition that an entry is or belongs to, or nil for other entries.
  private func number(of entry: DumpEntry) -> Int? {
    let name =
      entry.kind == "INDEX ATTACH" || entry.kind == "TABLE ATTACH"
      ? entry.name : entry.owner
    guard name.hasPrefix(parent + "_") else { return nil }
    let digits = name.dropFirst(parent.count + 1).prefix { $0.isNumber }
    return Int(digits).flatMap { numbers.contains($0) ? $0 : nil }
  }

  private func template(of entry: DumpEntry, _ number: Int, _ columns: [String]) -> String {
    var lines = entry.lines
    if entry.kind == "TABLE", self.columns(of: entry) == columns {
      lines = [lines[0] + ")"] + lines.drop { !$0.hasPrefix(")") }.dropFirst()
    }
    return lines.joined(separator: " ")
      .replacing("\(parent)_\(number)", with: "\(parent)_N")
      .replacing("IN ('\(number)')", with: "IN ('N')").replacing(";", with: "")
  }

  private func columns(of table: DumpEntry) -> [String] {
    Array(table.lines.dropFirst().prefix { !$0.hasPrefix(")") })
  }
}
