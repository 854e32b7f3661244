package import BatonPostgres

extension TestSchema {
  /// How a statement is planned without its values, as a worker's session has it after a while.
  ///
  /// - Parameters:
  ///   - types: those of its parameters, `text, bigint`.
  ///   - values: what it is executed with where the options say `analyze`, as SQL.
  /// - Returns: the lines of EXPLAIN.
  package func explain(
    _ statement: Statement, _ types: String, _ values: String, options: String = "costs off",
    as settings: Call<Void>? = nil
  ) async throws -> [String] {
    let connection = try await connect()
    let call = Call.rows(
      Statement("test/explain", "explain (\(options)) execute planned\(Self.list(values))")
    ) { (row) throws(PostgresError) in try row.decode(String.self) }
    let lines = try await Session(connection, in: schema).transaction {
      transaction in
      // BEGIN and the search path travel with the first call; a script is none.
      try await transaction.run(.count(Statement("test/enter", "select 1")))
      try await transaction.script(
        Statement("test/generic", "set local plan_cache_mode = force_generic_plan"))
      if let settings { try await transaction.run(settings) }
      try await transaction.script(
        Statement("test/prepare", "prepare planned\(Self.list(types)) as \(statement.text)"))
      let lines: [String] = try await transaction.run(call)
      return lines
    }
    await connection.close()
    return lines
  }

  /// Pages that a statement reads, all of them in memory.
  ///
  /// - Parameter most: how many are few enough: above, what changes nothing is executed again; nil: once.
  /// - Throws: `TestFailure` where EXPLAIN names none.
  package func pages(
    of statement: Statement, _ types: String = "", _ values: String = "", atMost most: Int? = nil
  ) async throws -> Int {
    try await Self.fewestPages(atMost: most ?? .max - 1) {
      try await explain(
        statement, types, values, options: "analyze, buffers, costs off, timing off")
    }
  }

  /// Pages that EXPLAIN (ANALYZE, BUFFERS) counts for all of a plan.
  ///
  /// - Throws: `TestFailure` where it names none.
  package static func pages(in lines: [String]) throws -> Int {
    guard
      let total = lines.lazy.compactMap({ $0.firstMatch(of: /Buffers: shared hit=(\d+)/)?.1 })
        .first,
      let pages = Int(total)
    else { throw TestFailure("EXPLAIN names no pages: \(lines.first ?? "")") }
    return pages
  }

  /// Pages that a plan reads, at the least of several times: a session reads the catalog again when others have
  /// changed enough of theirs, and an index's dead entries while another test's snapshot is open.
  ///
  /// - Parameters:
  ///   - most: how many are few enough; it is explained again while there are more.
  ///   - explain: executes it with `analyze, buffers`; as often as five times.
  package static func fewestPages(
    atMost most: Int, _ explain: () async throws -> [String]
  ) async throws -> Int {
    var least = Int.max
    for _ in 0..<5 where least > most { least = min(least, try pages(in: await explain())) }
    return least
  }

  /// Rows that pass through the nodes of a plan, those that a filter removes among them: what grows
  /// with the square of something where a join compares each with each.
  package static func rows(in lines: [String]) throws -> Int {
    var (sum, loops) = (0.0, 1.0)
    for line in lines {
      if let node = line.firstMatch(of: /actual rows=(\d+) loops=(\d+)/) {
        loops = Double(node.2) ?? 0
        sum += (Double(node.1) ?? 0) * loops
      } else if let removed = line.firstMatch(of: /Rows Removed by .*: (\d+)/) {
        sum += (Double(removed.1) ?? 0) * loops
      }
    }
    guard sum > 0 else { throw TestFailure("EXPLAIN counts no rows: \(lines.first ?? "")") }
    return Int(sum)
  }

  private static func list(_ items: String) -> String { items.isEmpty ? "" : "(\(items))" }
}

extension Connection {
  /// Pages that a call reads on this session; what it does is rolled back, so each look is at the same rows.
  ///
  /// - Parameter most: how many are few enough; the first look of a session reads the catalog too.
  package nonisolated func pages(
    ofCall call: String, in schema: Schema, atMost most: Int
  ) async throws -> Int {
    let explain = Statement(
      "test/explain \(call)",
      "explain (analyze, buffers, costs off, timing off) select from \(call)")
    return try await TestSchema.fewestPages(atMost: most) {
      try await rolledBack(in: schema) {
        let lines: [String] = try await run(
          .rows(explain) { (row) throws(PostgresError) in try row.decode(String.self) })
        return lines
      }
    }
  }

  /// Runs the calls of `body` in a transaction that is rolled back.
  package nonisolated func rolledBack<R>(
    in schema: Schema, _ body: () async throws -> R
  ) async throws -> R {
    try await script(
      Statement("test/begin", "begin; set local search_path = \(schema.name), pg_temp"))
    let result = try await body()
    try await script(Statement("test/rollback", "rollback"))
    return result
  }
}
