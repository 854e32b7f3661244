import BatonPostgres
import RunnerSQL

/// The properties of an SQL function, read from its `create function` statement.
///
/// PostgreSQL stores a function body between `$$` unchanged. The expected function bodies are part
/// of the program, so no database session can change them. Every function that runs with its
/// owner's rights has a body between `$$`.
struct FunctionText {
  let name: String
  let body: String
  let isDefiner: Bool
  /// The function's volatility, as the letter in pg_proc.provolatile.
  let volatility: String
  let isStrict: Bool
  /// The function's parallel safety, as the letter in pg_proc.proparallel.
  let parallel: String
  let language: String
  /// Whether the function is created with `set search_path from current`.
  let keepsPath: Bool
  /// Whether the function sets parameters other than `search_path`.
  ///
  /// If a function sets other parameters, their values are compared with the function definition
  /// recorded by the migrator, and not with the program's text.
  let hasOtherSettings: Bool

  /// Parses the statement that creates a function, or returns nil if its body is not between `$$`.
  ///
  /// PostgreSQL stores a function body that is not between `$$` as a syntax tree. Different
  /// PostgreSQL versions print a syntax tree differently.
  init?(_ object: SchemaObject) {
    let pieces = object.statement.text.split(separator: "$$", omittingEmptySubsequences: false)
    guard object.kind == .function, pieces.count >= 3,
      let head = pieces[0].split(separator: "language ").last,
      let language = head.split(whereSeparator: \.isWhitespace).first
    else { return nil }
    let words = head.split(whereSeparator: \.isWhitespace).map(String.init)
    func follow(_ first: String, _ second: String) -> Bool {
      zip(words, words.dropFirst()).contains { $0 == first && $1 == second }
    }
    name = object.name
    body = String(pieces[1])
    self.language = String(language)
    isDefiner = follow("security", "definer")
    volatility = words.contains("immutable") ? "i" : words.contains("stable") ? "s" : "v"
    isStrict = words.contains("strict")
    parallel = follow("parallel", "safe") ? "s" : follow("parallel", "restricted") ? "r" : "u"
    keepsPath = follow("set", "search_path") && follow("from", "current")
    hasOtherSettings = words.filter { $0 == "set" }.count > (keepsPath ? 1 : 0)
  }
}

extension Migrator {
  /// Compares the functions in the catalog with the function definitions in this program.
  ///
  /// - Returns: the name and the differences of each function that differs between the program and
  ///   the catalog.
  func functionDifferences(
    in transaction: Transaction
  ) async throws -> [(name: String, differences: String)] {
    let own = try await ownParts(in: transaction).flatMap(\.objects).compactMap(FunctionText.init)
    let path = "search_path=\(schema), pg_temp"
    let list: Call<[(name: String, differences: String)]> = .rows(
      SQL.Migrator.lintFunctions, own.map(\.name), own.map(\.body), own.map(\.isDefiner),
      own.map(\.volatility), own.map(\.isStrict), own.map(\.parallel), own.map(\.language),
      own.map { $0.keepsPath ? path : "" }, own.map { !$0.hasOtherSettings }
    ) { (row) throws(PostgresError) in
      let (name, differences) = try row.decode(String.self, String.self)
      return (name: name, differences: differences)
    }
    let differences = try await transaction.run(list)
    return differences
  }
}
