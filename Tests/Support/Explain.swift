package import BatonPostgres

extension TestSchema {
  /// Returns the generic plan of a statement, which a long session of a worker uses.
  ///
  /// - Parameters:
  ///   - types: the types of the parameters, such as `text, bigint`.
  ///   - values: the values of the parameters as SQL, which are used with the `analyze` option.
  /// - Returns: the lines that EXPLAIN prints.
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
      // BEGIN and the search path are sent with the first call, and a script does not count as a
      // call.
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

  /// Returns the number of pages that a statement reads.
  ///
  /// - Parameter most: the highest acceptable number. A read-only statement is executed again if
  ///   the number is higher. If `most` is nil, the statement is executed only once.
  /// - Throws: `TestFailure` if the output of EXPLAIN contains no number of pages.
  package func pages(
    of statement: Statement, _ types: String = "", _ values: String = "", atMost most: Int? = nil
  ) async throws -> Int {
    try await Self.fewestPages(atMost: most ?? .max - 1) {
      try await explain(
        statement, types, values, options: "analyze, buffers, costs off, timing off")
    }
  }

  /// Returns the number of pages that EXPLAIN (ANALYZE, BUFFERS) reports for a whole plan.
  ///
  /// - Throws: `TestFailure` if the lines contain no number of pages.
  package static func pages(in lines: [String]) throws -> Int {
    guard
      let total = lines.lazy.compactMap({ $0.firstMatch(of: /Buffers: shared hit=(\d+)/)?.1 })
        .first,
      let pages = Int(total)
    else { throw TestFailure("EXPLAIN names no pages: \(lines.first ?? "")") }
    return pages
  }

  /// Returns the lowest number of pages in several executions.
  ///
  /// A single number can be too high. The session may have had to read the catalog again, or dead
  /// index entries that another test's snapshot keeps.
  ///
  /// - Parameters:
  ///   - most: the highest acceptable number. The statement is executed again if the number is
  ///     higher.
  ///   - explain: a function that executes EXPLAIN with `analyze, buffers`. The function is called
  ///     at most five times.
  package static func fewestPages(
    atMost most: Int, _ explain: () async throws -> [String]
  ) async throws -> Int {
    var least = Int.max
    for _ in 0..<5 where least > most { least = min(least, try pages(in: await explain())) }
    return least
  }

  /// Returns the number of rows that pass through the nodes of a plan, including rows that a filter
  /// removes.
  ///
  /// The number grows quadratically if a join compares each row with each other row.
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
  /// Returns the number of pages that a call reads in this session.
  ///
  /// The call's changes are rolled back, so each execution reads the same rows.
  ///
  /// - Parameter most: the highest acceptable number. The first execution in a session also reads
  ///   the catalog.
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
