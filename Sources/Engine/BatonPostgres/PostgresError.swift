/// What the server, libpq or the client itself refused.
///
/// `description` carries state, message and statement name. `detail` is apart, because PostgreSQL
/// puts row values there and logs are read by many people.
public struct PostgresError: Error, Sendable, CustomStringConvertible, CustomDebugStringConvertible
{
  /// The five-character SQLSTATE; `08006` where the connection broke.
  public let sqlState: SQLState
  /// One line, as the server or libpq says it.
  public let message: String
  /// The violated constraint, where there is one.
  public let constraint: String?
  /// The statement's name (`queue/claim`), where one was running.
  public let statement: String?
  /// The server's DETAIL: may hold values of rows.
  public let detail: String?
  /// The server's HINT, or what the client suggests.
  public let hint: String?
  /// The file that is wrong, where that is one of the client's.
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

  /// The same with the server's DETAIL.
  public var debugDescription: String {
    detail.map { "\(description): \($0)" } ?? description
  }

  /// The same error with the statement's name, where it has none yet.
  func named(_ statement: Statement) -> PostgresError {
    self.statement != nil
      ? self
      : PostgresError(
        sqlState, message, statement: statement.name, constraint: constraint, detail: detail,
        hint: hint, place: place)
  }
}
