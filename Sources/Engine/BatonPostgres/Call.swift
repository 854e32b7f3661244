/// A statement, its parameters, and the way its result is read: one message of a round trip.
public struct Call<Output: Sendable>: Sendable {
  /// The statement to send.
  public let statement: Statement
  let parameters: Parameters
  let read: @Sendable (borrowing QueryResult) throws(PostgresError) -> Output

  init(
    _ statement: Statement, _ parameters: Parameters,
    read: @escaping @Sendable (borrowing QueryResult) throws(PostgresError) -> Output
  ) {
    self.statement = statement
    self.parameters = parameters
    self.read = read
  }

  /// Throws for a value that cannot be sent, before the first byte of its round trip is sent.
  ///
  /// An error in the middle of the round trip would be too late: the server would commit the calls before it.
  func checkParameters() throws(PostgresError) {
    if let failure = parameters.failure { throw failure.named(statement) }
  }

  /// A call whose result is every row.
  public static func rows<each P: PostgresEncodable, Element: Sendable>(
    _ statement: Statement, _ parameters: repeat each P,
    decode: @escaping @Sendable (Row) throws(PostgresError) -> Element
  ) -> Call where Output == [Element] {
    Call(statement, Parameters(repeat each parameters)) { (result) throws(PostgresError) in
      var elements: [Element] = []
      elements.reserveCapacity(result.count)
      for index in 0..<result.count { elements.append(try decode(result[index])) }
      return elements
    }
  }

  /// A call that returns exactly one row.
  ///
  /// Any other number of rows is an error.
  public static func row<each P: PostgresEncodable>(
    _ statement: Statement, _ parameters: repeat each P,
    decode: @escaping @Sendable (Row) throws(PostgresError) -> Output
  ) -> Call {
    Call(statement, Parameters(repeat each parameters)) { (result) throws(PostgresError) in
      guard result.count == 1 else {
        throw PostgresError(
          .dataException, "\(result.count) rows where one is expected", statement: statement.name)
      }
      return try decode(result[0])
    }
  }
}

extension Call where Output == Int {
  /// A call whose result is the number of rows inserted, updated, deleted or selected.
  public static func count<each P: PostgresEncodable>(
    _ statement: Statement, _ parameters: repeat each P
  ) -> Call {
    Call(statement, Parameters(repeat each parameters)) { $0.affected }
  }
}

extension Call where Output == Void {
  /// A call whose result is ignored, apart from errors.
  public static func run<each P: PostgresEncodable>(
    _ statement: Statement, _ parameters: repeat each P
  ) -> Call {
    Call(statement, Parameters(repeat each parameters)) { _ in }
  }

  /// COMMIT; any tag other than `COMMIT` is an error.
  ///
  /// The server answers the COMMIT of an aborted transaction with success and the tag `ROLLBACK`.
  static var commit: Call {
    Call(.commit, Parameters()) { (result) throws(PostgresError) in
      guard result.tag == "COMMIT" else {
        throw PostgresError(
          .inFailedTransaction, "COMMIT answered \(result.tag): nothing was committed")
      }
    }
  }
}
