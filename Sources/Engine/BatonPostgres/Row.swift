import CLibPQ

/// A row of a result, which is valid only inside the closure that decodes the row.
public struct Row {
  let result: OpaquePointer
  let index: Int32

  /// Decodes all columns in order, as the requested types.
  ///
  /// - Throws: ``PostgresError`` if the number of columns, a type or a value does not match.
  public func decode<each Column: PostgresDecodable>(
    _ types: repeat (each Column).Type
  ) throws(PostgresError) -> (repeat each Column) {
    var wanted: Int32 = 0
    for _ in repeat each types { wanted += 1 }
    guard PQnfields(result) == wanted else {
      throw PostgresError(
        .dataException, "a row has \(PQnfields(result)) columns where \(wanted) are read")
    }
    var column: Int32 = 0
    return (repeat try self.column(&column, as: (each Column).self))
  }

  private func column<Column: PostgresDecodable>(
    _ column: inout Int32, as type: Column.Type
  ) throws(PostgresError) -> Column {
    defer { column += 1 }
    let oid = PQftype(result, column)
    guard PQgetisnull(result, index, column) == 0 else { return try Column.decode(nil, oid: oid) }
    let bytes = UnsafeRawBufferPointer(
      start: PQgetvalue(result, index, column), count: Int(PQgetlength(result, index, column)))
    return try Column.decode(bytes, oid: oid)
  }
}
