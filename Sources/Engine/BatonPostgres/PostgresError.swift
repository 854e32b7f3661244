/// An error from the server, from libpq or from the client itself.
///
/// `description` contains the SQLSTATE, the message and the statement's name. PostgreSQL's DETAIL
/// may contain row values, so only the `detail` property contains DETAIL.
public struct PostgresError: Error, Sendable, CustomStringConvertible, CustomDebugStringConvertible
{
  /// The five-character SQLSTATE.
  ///
  /// After a connection loss, the SQLSTATE is `08006`.
  public let sqlState: SQLState
  /// The message from the server or libpq, on one line.
  public let message: String
  /// The violated constraint, or nil if no constraint was violated.
  public let constraint: String?
  /// The name of the statement that was running, such as `queue/claim`, or nil if no statement was
  /// running.
  public let statement: String?
  /// The server's DETAIL, which may contain row values.
  public let detail: String?
  /// The server's HINT, or a suggestion from the client.
  public let hint: String?
  /// The file on the client that caused the error, or nil if no file caused the error.
  public let place: String?

  /// Creates an error.
  public init(
    _ sqlState: SQLState, _ message: String, statement: String? = nil, constraint: String? = nil,
    detail: String? = nil, hint: String? = nil, place: String? = nil
  ) {
    self.sqlState = sqlState
    self.message = message
    self.statement = statement
    self.constraint = constraint
    self.detail = detail
    self.hint = hint
    self.place = place
  }

  /// The SQLSTATE, the message and the statement's name, excluding row values.
  public var description: String {
    let place = (statement ?? place).map { " (in \($0))" } ?? ""
    return "\(message) [\(sqlState.code)]\(place)"
  }

  /// The description, followed by the server's DETAIL.
  public var debugDescription: String {
    detail.map { "\(description): \($0)" } ?? description
  }

  /// The error for a connection that was closed because of an outdated prepared statement.
  ///
  /// The server has rolled the transaction back. The transaction may succeed on a new connection.
  var outdated: PostgresError {
    PostgresError(
      .connectionFailure,
      "the connection was closed, because a prepared statement is outdated: \(message)",
      statement: statement, detail: detail, hint: hint)
  }

  /// Returns the error with the statement's name, unless the error already names a statement.
  func named(_ statement: Statement) -> PostgresError {
    self.statement != nil
      ? self
      : PostgresError(
        sqlState, message, statement: statement.name, constraint: constraint, detail: detail,
        hint: hint, place: place)
  }
}
