import CLibPQ

/// A `PGresult`, which is freed exactly once.
///
/// A result never leaves the connection's thread. The values for the caller are decoded on the
/// connection's thread.
struct QueryResult: ~Copyable {
  let pointer: OpaquePointer

  init(_ pointer: OpaquePointer) { self.pointer = pointer }

  deinit { PQclear(pointer) }

  var status: ExecStatusType { PQresultStatus(pointer) }
  var count: Int { Int(PQntuples(pointer)) }
  /// The command tag, for example `COMMIT` or `UPDATE 3`.
  var tag: String { String(cString: PQcmdStatus(pointer)) }
  /// The number of inserted, updated, deleted or selected rows.
  var affected: Int { Int(String(cString: PQcmdTuples(pointer))) ?? 0 }

  subscript(index: Int) -> Row { Row(result: pointer, index: Int32(index)) }

  /// Throws ``PostgresError`` (22000) if the result needs more memory than the limit.
  func requireSize(atMost most: Int?) throws(PostgresError) {
    guard let most, PQresultMemorySize(pointer) > most else { return }
    throw PostgresError(
      .dataException, "the result has \(PQresultMemorySize(pointer)) bytes, and \(most) are allowed"
    )
  }

  /// Returns an error if the result begins a COPY, which the client does not support.
  func copy(in statement: Statement) -> PostgresError? {
    guard [PGRES_COPY_IN, PGRES_COPY_OUT, PGRES_COPY_BOTH].contains(status) else { return nil }
    return PostgresError(
      .featureNotSupported, "the client does not support COPY from stdin or to stdout",
      statement: statement.name)
  }

  func error(in statement: Statement) -> PostgresError {
    func field(_ code: Int32) -> String? {
      PQresultErrorField(pointer, code).map { String(cString: $0) }
    }
    let text = String(cString: PQresultErrorMessage(pointer))
    var state = field(Diagnostic.sqlState).map { SQLState($0) } ?? .connectionFailure
    // The server reports a changed result type as an unsupported feature. The error is recognized
    // by the name of the server function, because that name is not translated.
    if state == .featureNotSupported, field(Diagnostic.function) == "RevalidateCachedQuery" {
      state = .noSuchStatement
    }
    return PostgresError(
      state,
      field(Diagnostic.message) ?? text.trimmedLine,
      statement: statement.name, constraint: field(Diagnostic.constraint),
      detail: field(Diagnostic.detail), hint: field(Diagnostic.hint))
  }
}

/// The field codes of `PQresultErrorField`, which are macros in C.
private enum Diagnostic {
  static let sqlState = Int32(UInt8(ascii: "C"))
  static let message = Int32(UInt8(ascii: "M"))
  static let detail = Int32(UInt8(ascii: "D"))
  static let hint = Int32(UInt8(ascii: "H"))
  static let constraint = Int32(UInt8(ascii: "n"))
  static let function = Int32(UInt8(ascii: "R"))
}

extension String {
  /// The text as a single line: its lines without leading whitespace, separated by `; `.
  var trimmedLine: String {
    split(whereSeparator: \.isNewline).map { $0.drop(while: \.isWhitespace) }
      .joined(separator: "; ")
  }
}
