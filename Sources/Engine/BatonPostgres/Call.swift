/// A statement with parameters and a result type, which is sent as one message of a round trip.
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

  /// Throws an error if a value cannot be sent.
  ///
  /// The values are checked before the round trip is sent.
  ///
  /// If an error occurred during the round trip, the server would commit the calls that were sent
  /// before the error.
  func checkParameters() throws(PostgresError) {
    if let failure = parameters.failure { throw failure.named(statement) }
  }

  /// Returns a call whose result is all rows.
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

  /// Returns a call whose result is exactly one row.
  ///
  /// A result without rows or with several rows is an error.
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
  /// Returns a call whose result is the number of inserted, updated, deleted or selected rows.
  public static func count<each P: PostgresEncodable>(
    _ statement: Statement, _ parameters: repeat each P
  ) -> Call {
    Call(statement, Parameters(repeat each parameters)) { $0.affected }
  }
}

extension Call where Output == Void {
  /// Returns a call whose result is ignored, except for errors.
  public static func run<each P: PostgresEncodable>(
    _ statement: Statement, _ parameters: repeat each P
  ) -> Call {
    Call(statement, Parameters(repeat each parameters)) { _ in }
  }

  /// The call that sends COMMIT.
  ///
  /// Any command tag other than `COMMIT` is an error.
  ///
  /// If the transaction was aborted, the server responds to COMMIT with success and the tag
  /// `ROLLBACK`.
  static var commit: Call {
    Call(.commit, Parameters()) { (result) throws(PostgresError) in
      guard result.tag == "COMMIT" else {
        throw PostgresError(
          .inFailedTransaction, "COMMIT answered \(result.tag): nothing was committed")
      }
    }
  }
}
