extension Call {
  /// A call whose result is every row, as tuples of its columns.
  ///
  /// ```swift
  /// let parcels = try await transaction.run(
  ///   .rows(SQL.Parcels.listToPack, limit, as: Int64.self, String.self))
  /// for (id, product) in parcels { pack(id, product) }
  /// ```
  /// A null needs an optional type. If the number of columns, a type or a value does not fit, the call throws
  /// ``PostgresError``.
  ///
  /// - Parameters:
  ///   - statement: the statement.
  ///   - parameters: the values of its parameters, in order.
  ///   - columns: the types of its columns, in order.
  public static func rows<each P: PostgresEncodable, each Column: PostgresDecodable>(
    _ statement: Statement, _ parameters: repeat each P, as columns: repeat (each Column).Type
  ) -> Call where Output == [(repeat each Column)] {
    .rows(statement, repeat each parameters) { (row) throws(PostgresError) in
      try row.decode(repeat (each Column).self)
    }
  }

  /// A call whose result is exactly one row, as a tuple of its columns.
  ///
  /// - Parameters:
  ///   - statement: the statement; any other number of rows is an error.
  ///   - parameters: the values of its parameters, in order.
  ///   - columns: the types of its columns, in order.
  public static func row<each P: PostgresEncodable, each Column: PostgresDecodable>(
    _ statement: Statement, _ parameters: repeat each P, as columns: repeat (each Column).Type
  ) -> Call where Output == (repeat each Column) {
    .row(statement, repeat each parameters) { (row) throws(PostgresError) in
      try row.decode(repeat (each Column).self)
    }
  }
}
