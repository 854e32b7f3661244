import Foundation
import TestSupport
import Testing

/// Tests that a snapshot or a transaction id is read together with a table of the schema, in the
/// same FROM.
///
/// A server that distributes tables over nodes executes a query without a table on any node. On
/// another node, the snapshot differs from the snapshot of the query that reads the log. In that
/// case, the events between the two snapshots would never be folded, without an error.
@Suite(.ownThreads) struct SnapshotTests {
  /// The functions that read the server's state.
  ///
  /// Functions that only decompose a snapshot return the same result on all nodes.
  private static let askers: Set<String> = [
    "pg_current_snapshot", "pg_current_xact_id", "pg_current_xact_id_if_assigned", "txid_current",
    "txid_current_if_assigned", "txid_current_snapshot", "pg_export_snapshot",
  ]

  /// Lines without a table, with the reason why they are permitted.
  private static let exceptions = [
    "sql/runner/migrations/0002_create_queue.sql: xact xid8 not null default pg_current_xact_id(),":
      "a default is reckoned with the row, in the transaction that writes it",
    "sql/runner/migrations/0002_create_queue.sql: set_by xid8 not null default pg_current_xact_id()":
      "the same; whoever folds gives a value of its own",
    "sql/runner/migrations/0031_create_batches.sql: xact xid8 not null default pg_current_xact_id(),":
      "the same for the members of batches",
    "sql/bench/drain/hold_transaction.sql: select pg_current_xact_id()::text":
      "it holds a transaction open; nobody compares the id",
  ]

  @Test func `snapshots and transaction ids are taken beside a table of ours`() throws {
    let root = Checkout.root
    let paths = ["sql", "Examples"].flatMap { folder -> [String] in
      let all = FileManager.default.enumerator(atPath: root.appending(path: folder).path())
      return (all?.compactMap { $0 as? String } ?? [])
        .filter { $0.hasSuffix(".sql") || $0.hasSuffix(".pgbench") }.map { "\(folder)/\($0)" }
    }
    let texts = try paths.map { path in
      (path, try String(contentsOf: root.appending(path: path), encoding: .utf8))
    }
    let tables = Set(texts.flatMap { SQLQueries.tables(in: $0.1) })
    #expect(tables.isSuperset(of: ["event_cursor", "event_position", "dead_run", "challenge"]))
    let found = texts.flatMap { path, text in
      SQLQueries(text).callsWithoutTable(of: Self.askers, tables: tables).map { "\(path): \($0)" }
    }
    #expect(Set(found) == Set(Self.exceptions.keys))
  }

  @Test(arguments: [
    ("select pg_current_snapshot()", true),
    ("select pg_current_snapshot() from log", false),
    ("select x, pg_catalog.pg_current_snapshot() from other o, log l where true", false),
    ("select PG_CURRENT_XACT_ID()::text from other join log using (id)", false),
    // A table of another program, a table in a comment, and a table that another query reads.
    ("select pg_current_snapshot() from pg_control_system()", true),
    ("select pg_current_snapshot() -- from log", true),
    ("select (select pg_current_snapshot()), id from log", true),
    ("select pg_current_snapshot() union all select snapshot from log", true),
    ("select pg_current_snapshot(); select from log", true),
    ("select pg_current_snapshot() from (select from log) l", true),
    ("with m as (select txid_current() as x) select x from m, log", true),
    ("with m as (select txid_current() as x from log) select x from m", false),
    ("with m as (select from log) select txid_current() from m", true),
    ("select coalesce(format('%s', pg_current_snapshot()), '') from log", false),
    ("select from log where xact < pg_current_xact_id()", false),
    ("update log set xact = pg_current_xact_id() where true", false),
    ("insert into log (xact) values (pg_current_xact_id())", true),
    ("insert into log (xact) select pg_current_xact_id()", true),
    ("insert into log (xact) select pg_current_xact_id() from log", false),
    ("do $$ begin perform pg_current_xact_id(); select from log; end $$", true),
    ("execute format('select pg_current_snapshot() from log')", false),
    ("execute format('select pg_current_snapshot()')", true),
  ])
  func `a snapshot beside no table is found`(text: String, isFound: Bool) {
    let found = SQLQueries(text).callsWithoutTable(of: Self.askers, tables: ["log"])
    #expect(found.isEmpty != isFound, "\(text): \(found)")
  }
}

/// Queries as words and brackets, which is sufficient to find the contents of a FROM.
private struct SQLQueries {
  private struct Token {
    let word: String
    let line: String
    /// The number of open brackets around the token.
    let depth: Int
  }

  private let tokens: [Token]

  /// Words in comments are skipped.
  ///
  /// Words in a quoted text count, because the text may be a statement.
  init(_ text: String) {
    var tokens: [Token] = []
    var depth = 0
    for line in text.split(separator: "\n") {
      let code = line.prefix(upTo: line.firstRange(of: "--")?.lowerBound ?? line.endIndex)
      for match in code.lowercased().matches(of: /[a-z_][a-z_0-9.]*|[(),;]/) {
        let word = String(match.output)
        if word == ")" { depth -= 1 }
        tokens.append(
          Token(
            word: word.split(separator: ".").last.map(String.init) ?? word,
            line: line.trimmingCharacters(in: .whitespaces), depth: depth))
        if word == "(" { depth += 1 }
      }
    }
    self.tokens = tokens
  }

  /// Returns the tables and views that a text creates.
  static func tables(in text: String) -> [String] {
    text.matches(of: /create (?:table|(?:or replace )?view) (?:if not exists )?([a-z_0-9]+)/)
      .map { String($0.output.1) }
  }

  /// Returns the lines with a call of one of these functions in a query that reads none of these
  /// tables.
  func callsWithoutTable(of functions: Set<String>, tables: Set<String>) -> [String] {
    tokens.indices.filter { functions.contains(tokens[$0].word) }
      .filter { relations(besides: $0).isDisjoint(with: tables) }
      .map { tokens[$0].line }
  }

  private static let beginnings: Set = [
    "select", "perform", "insert", "update", "delete", "values",
  ]
  private static let ends: Set = ["union", "except", "intersect", ";"]
  /// The words that can follow the list of a FROM.
  private static let behindFrom: Set = [
    "where", "group", "having", "order", "limit", "returning", "set", "for", "on", "select",
  ]

  /// Returns the relations that the query around a token reads, without those of subqueries.
  private func relations(besides index: Int) -> Set<String> {
    var depth = tokens[index].depth
    var start = index
    // The search goes outwards, because the arguments of a call are not a separate query.
    while start > 0 {
      start -= 1
      let token = tokens[start]
      if token.depth < depth { depth = token.depth }
      guard token.depth == depth else { continue }
      if Self.ends.contains(token.word) { return [] }
      if Self.beginnings.contains(token.word) { break }
    }
    var found: Set<String> = []
    var isList = tokens[start].word == "update"
    var takesNext = isList
    for token in tokens[(start + 1)...] {
      if token.depth < depth || token.depth == depth && Self.ends.contains(token.word) { break }
      guard token.depth == depth else { continue }
      switch token.word {
      case "from", "join": (isList, takesNext) = (true, true)
      case ",": takesNext = isList
      case let word where Self.behindFrom.contains(word): (isList, takesNext) = (false, false)
      case let word:
        if takesNext { found.insert(word) }
        takesNext = false
      }
    }
    return found
  }
}
