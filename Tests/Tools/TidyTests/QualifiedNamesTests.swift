import Foundation
import TestSupport
import Testing

/// Statements of the migrator run with the rights of the login, which may be a superuser.
///
/// PostgreSQL chooses the overload that fits best, in any schema of the search path. The owner of a
/// schema could therefore replace `format(text, name)`, unless the statement names `pg_catalog`.
@Suite(.ownThreads) struct QualifiedNamesTests {
  /// Words before a parenthesis that are not functions.
  private static let keywords: Set = [
    "and", "any", "all", "array", "as", "by", "check", "coalesce", "conflict", "else", "exists",
    "filter", "from", "greatest", "in", "join", "key", "lateral", "least", "not", "nullif", "on",
    "or", "over", "references", "select", "some", "then", "using", "values", "when", "where",
  ]
  /// After these words, a name with columns is a table or an alias.
  private static let beforeTables: Set = ["as", "into", "table", "exists", "ordinality"]

  /// A name before a parenthesis, and the surrounding text.
  private struct Call {
    let name: String
    let before: Substring
    let arguments: Substring
    let after: Substring

    private var lastWord: String {
      before.split(whereSeparator: \.isWhitespace).last.map(String.init) ?? ""
    }

    private var isTable: Bool {
      let isOfWith =
        after.prefixMatch(of: /\s*as\b/) != nil
        && (lastWord == "with" || lastWord.hasSuffix(","))
      return lastWord.hasSuffix(")") || beforeTables.contains(lastWord) || isOfWith
    }

    /// PostgreSQL itself reads `unnest` of several arrays as functions of `pg_catalog`.
    private var isUnnestOfSeveral: Bool {
      var depth = 0
      return name == "unnest"
        && arguments.contains { character in
          if "([".contains(character) { depth += 1 }
          if ")]".contains(character) { depth -= 1 }
          return character == "," && depth == 0
        }
    }

    var isUnqualified: Bool {
      !name.contains(".") && !name.hasPrefix("$") && !keywords.contains(name) && !isTable
        && !isUnnestOfSeveral
    }
  }

  private static func calls(in text: String) -> [Call] {
    let code = text.split(separator: "\n").map {
      $0.prefix(upTo: $0.firstRange(of: "--")?.lowerBound ?? $0.endIndex)
    }
    .joined(separator: "\n").replacing(/'(?:[^']|'')*'/, with: "''")
    return code.matches(of: /([a-z_0-9."$]+)\s*\(/).map { match in
      var (depth, end) = (1, match.range.upperBound)
      while depth > 0, end < code.endIndex {
        depth += code[end] == "(" ? 1 : code[end] == ")" ? -1 : 0
        end = code.index(after: end)
      }
      let last = end > match.range.upperBound ? code.index(before: end) : end
      return Call(
        name: String(match.1), before: code[..<match.range.lowerBound],
        arguments: code[match.range.upperBound..<last], after: code[end...])
    }
  }

  @Test func `each function in a statement of the migrator names its schema`() throws {
    let folder = "sql/runner/migrator"
    let names = try FileManager.default.contentsOfDirectory(
      atPath: Checkout.root.appending(path: folder).path())
    #expect(names.count > 30)
    for name in names.sorted() {
      for call in Self.calls(in: try Checkout.text("\(folder)/\(name)")) where call.isUnqualified {
        Issue.record("\(folder)/\(name): \(call.name) needs pg_catalog before its name")
      }
    }
  }

  /// These statements run before each transaction of any login.
  @Test func `each function in a statement of a connection names its schema`() throws {
    for name in ["Statement", "Identity"] {
      let text = try Checkout.text("Sources/Engine/BatonPostgres/\(name).swift")
      let found = text.matches(of: /[^.\w](?:set_config|current_setting|pg_\w+)\(/)
      #expect(found.map { String($0.0) } == [], "\(name)")
      #expect(text.contains("pg_catalog.set_config("))
    }
  }

  @Test(arguments: [
    "select format('%s', $1)", "select pg_catalog.count(*) from unnest($1::text[])",
    "select 1 where lower($1) = ''", "select x from t, aclexplode(t.acl) a",
  ])
  func `an unqualified function is found`(text: String) {
    #expect(Self.calls(in: text).contains { $0.isUnqualified })
  }
}
