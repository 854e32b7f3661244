/// An SQL statement with its file name.
///
/// Errors and `--trace` print the name, such as `queue/claim`. On a direct connection, the
/// statement's name is also the name of the prepared statement. If two statements have the same
/// name, the client appends a number to one name on the server.
public struct Statement: Sendable, Hashable {
  /// The folder and the file, without `.sql`.
  public let name: String
  /// The SQL text, with `$1` and so on for parameters.
  public let text: String

  /// Creates a statement from its text.
  ///
  /// The text must be a compile-time constant, and must not be built from values.
  public init(_ name: String, _ text: String) {
    self.name = name
    self.text = text
  }

  /// The name of the prepared statement on the server.
  ///
  /// The server limits a name to 63 bytes. A name longer than 54 bytes is cut, so that a number
  /// such as `#2` fits.
  var serverName: String {
    name.utf8.count <= 54 ? name : String(decoding: name.utf8.prefix(54), as: UTF8.self)
  }

  static let relaxDurability = Statement("relax_durability", "set synchronous_commit = off")
  static let whoAmI = Statement(
    "who_am_i",
    """
    select pg_catalog.pg_backend_pid(),
      (select backend_start from pg_catalog.pg_stat_get_activity(pg_catalog.pg_backend_pid()))
    """)
  static let begin = Statement("begin", "begin isolation level read committed")
  static let commit = Statement("commit", "commit")
  static let rollback = Statement("rollback", "rollback")
  /// Sets the search path and the planning mode for a transaction.
  ///
  /// `pg_temp` is last in the search path, so that a temporary table cannot shadow a table in the
  /// schema. Dates are written in ISO 8601, regardless of the role's or the database's settings.
  /// Row security is on, so a query omits hidden rows. If row security were off, a query on hidden
  /// rows would fail. JIT compilation is off, because compiling a short statement takes longer than
  /// executing it.
  static let enterSchema = Statement("enter_schema", enterSchemaText)
  /// Does the same as ``enterSchema``, and makes the server plan each statement only once per
  /// session.
  static let enterSchemaPlanningOnce = Statement(
    "enter_schema_planning_once",
    """
    \(enterSchemaText),
      pg_catalog.set_config('plan_cache_mode', 'force_generic_plan', true)
    """)
  private static let enterSchemaText = """
    select pg_catalog.set_config('search_path', $1, true),
      pg_catalog.set_config('timezone', 'UTC', true),
      pg_catalog.set_config('datestyle', 'ISO', true),
      pg_catalog.set_config('enable_seqscan', $2, true),
      pg_catalog.set_config('row_security', 'on', true),
      pg_catalog.set_config('jit', 'off', true)
    """
  /// Makes a transaction read-only.
  static let readOnly = Statement(
    "read_only", "select pg_catalog.set_config('transaction_read_only', 'on', true)")
  /// Limits the duration of each statement in a transaction.
  package static let limitDuration = Statement(
    "limit_duration", "select pg_catalog.set_config('statement_timeout', $1, true)")
  /// Sets the role for the transaction, like SET LOCAL ROLE, but accepts the role as a parameter.
  static let enterRole = Statement("enter_role", "select pg_catalog.set_config('role', $1, true)")
}
