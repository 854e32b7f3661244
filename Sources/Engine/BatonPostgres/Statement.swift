/// One SQL statement with the name of the file it comes from.
///
/// The name (`queue/claim`) is what errors and `--trace` show, and how the prepared statement of a direct
/// connection is called on the server. Two statements of one name are two there.
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

  /// Its name on the server: the server uses only 63 bytes of a name, and some of them are reserved for a number.
  var serverName: String {
    name.utf8.count <= 54 ? name : String(decoding: name.utf8.prefix(54), as: UTF8.self)
  }

  static let relaxDurability = Statement("relax_durability", "set synchronous_commit = off")
  static let whoAmI = Statement(
    "who_am_i",
    """
    select pg_backend_pid(),
      (select backend_start from pg_stat_get_activity(pg_backend_pid()))
    """)
  static let begin = Statement("begin", "begin isolation level read committed")
  static let commit = Statement("commit", "commit")
  static let rollback = Statement("rollback", "rollback")
  /// Bare names resolve in one schema; pg_temp comes last, so that a temporary table cannot shadow a table.
  ///
  /// Dates are written as ISO 8601, whatever style is set for the role or the database. JIT compilation is off: all
  /// statements are short, also those for people, and compiling one takes longer than running it.
  static let enterSchema = Statement(
    "enter_schema",
    """
    select set_config('search_path', $1, true), set_config('timezone', 'UTC', true),
      set_config('datestyle', 'ISO', true),
      set_config('enable_seqscan', $2, true),
      set_config('jit', 'off', true)
    """)
  /// Makes a transaction read-only and limits each of its statements.
  static let limitReads = Statement(
    "limit_reads",
    """
    select set_config('transaction_read_only', 'on', true), set_config('statement_timeout', $1, true)
    """)
  /// SET LOCAL ROLE, with the name as a value.
  static let enterRole = Statement("enter_role", "select set_config('role', $1, true)")
}
