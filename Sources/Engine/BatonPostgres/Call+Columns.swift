extension Call {
  /// Returns a call whose result is all rows, as tuples of column values.
  ///
  /// ```swift
  /// let parcels = try await transaction.run(
  ///   .rows(SQL.Parcels.listToPack, limit, as: Int64.self, String.self))
  /// for (id, product) in parcels { pack(id, product) }
  /// ```
  /// A column that can be NULL needs an optional type. If the number of columns, a type or a value
  /// does not match, the call throws ``PostgresError``.
  ///
  /// - Parameters:
  ///   - statement: the statement.
  ///   - parameters: the values of the statement's parameters, in order.
  ///   - columns: the types of the result's columns, in order.
  public static func rows<each P: PostgresEncodable, each Column: PostgresDecodable>(
    _ statement: Statement, _ parameters: repeat each P, as columns: repeat (each Column).Type
  ) -> Call where Output == [(repeat each Column)] {
    .rows(statement, repeat each parameters) { (row) throws(PostgresError) in
      try row.decode(repeat (each Column).self)
    }
  }

  /// Returns a call whose result is exactly one row, as a tuple of column values.
  ///
  /// - Parameters:
  ///   - statement: the statement. A result without rows or with several rows is an error.
  ///   - parameters: the values of the statement's parameters, in order.
  ///   - columns: the types of the result's columns, in order.
  public static func row<each P: PostgresEncodable, each Column: PostgresDecodable>(
    _ statement: Statement, _ parameters: repeat each P, as columns: repeat (each Column).Type
  ) -> Call where Output == (repeat each Column) {
    .row(statement, repeat each parameters) { (row) throws(PostgresError) in
      try row.decode(repeat (each Column).self)
    }
  }
}
