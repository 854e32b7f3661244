/// One SQL statement with the name of the file it comes from.
///
/// The name (`queue/claim`) is what errors and `--trace` show, and on direct connections the name
/// of the prepared statement on the server.
public struct Statement: Sendable, Hashable {
  /// Folder and file, without `.sql`.
  public let name: String
  /// The SQL, with `$1` and so on for parameters.
  public let text: String

  /// A statement; the text is a compile-time constant, never built from values.
  public init(_ name: String, _ text: String) {
    self.name = name
    self.text = text
  }

  static let begin = Statement("begin", "begin isolation level read committed")
  static let commit = Statement("commit", "commit")
  static let rollback = Statement("rollback", "rollback")
  /// Bare names resolve in one schema; pg_temp comes last so that nobody can shadow a table.
  static let enterSchema = Statement(
    "enter_schema",
    """
    select set_config('search_path', $1, true), set_config('timezone', 'UTC', true),
      set_config('enable_seqscan', $2, true),
      set_config('jit', $2, true)
    """)
}
