/// An error of the server, of libpq or of the client itself.
///
/// `description` contains state, message and the statement's name. `detail` is separate, because PostgreSQL writes
/// values of rows there, and many people read logs.
public struct PostgresError: Error, Sendable, CustomStringConvertible, CustomDebugStringConvertible
{
  /// The five-character SQLSTATE; `08006` if the connection broke.
  public let sqlState: SQLState
  /// The message of the server or libpq, on one line.
  public let message: String
  /// The violated constraint, if there is one.
  public let constraint: String?
  /// The name of the statement that was running (`queue/claim`), if there was one.
  public let statement: String?
  /// The server's DETAIL, which may contain values of rows.
  public let detail: String?
  /// The server's HINT, or a suggestion of the client.
  public let hint: String?
  /// The file of the client that is wrong, if there is one.
  public let place: String?

  /// An error with its parts.
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

  /// State, message and statement; no values of rows.
  public var description: String {
    let place = (statement ?? place).map { " (in \($0))" } ?? ""
    return "\(message) [\(sqlState.code)]\(place)"
  }

  /// The same text with the server's DETAIL.
  public var debugDescription: String {
    detail.map { "\(description): \($0)" } ?? description
  }

  /// The same error with the statement's name, if it has none yet.
  func named(_ statement: Statement) -> PostgresError {
    self.statement != nil
      ? self
      : PostgresError(
        sqlState, message, statement: statement.name, constraint: constraint, detail: detail,
        hint: hint, place: place)
  }
}
