package import BatonPostgres

extension Transaction {
  /// Deletes a limited number of old rows with a retention statement.
  ///
  /// The statement has the `limit` and `from` parameters. The statement returns one row with the
  /// number of deleted rows and the time of the last row read.
  ///
  /// - Parameters:
  ///   - limit: the maximum number of rows, with the type of the statement's first parameter.
  ///   - from: the time from which the statement reads rows, in microseconds since 1970-01-01 00:00
  ///     UTC. If `from` is nil, the statement reads from the oldest row.
  /// - Throws: `PostgresError`.
  package func purge(
    _ statement: Statement, limit: some PostgresEncodable & Sendable, from: Int64?
  ) async throws -> (deleted: Int, reached: Int64?) {
    let start = from.map { Timestamp(microseconds: $0) }
    let purge = Call.row(statement, limit, start) { (row) throws(PostgresError) in
      try row.decode(Int64.self, Timestamp?.self)
    }
    let (deleted, reached): (Int64, Timestamp?) = try await run(purge)
    return (Int(deleted), reached?.microseconds)
  }
}
