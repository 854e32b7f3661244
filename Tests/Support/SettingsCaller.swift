package import BatonPostgres
import Foundation

/// A client's session, which has its own settings.
///
/// The session does not have the settings that Baton sets at the start of a transaction.
package struct SettingsCaller: Sendable {
  /// The settings of a careful client.
  package static let plain = [
    "TimeZone=UTC", "DateStyle=ISO,YMD", "IntervalStyle=postgres", "extra_float_digits=3",
    "bytea_output=hex", "standard_conforming_strings=on", "lc_messages=C", "lc_monetary=C",
    "lc_numeric=C", "lc_time=C",
  ]
  /// Settings that differ from the settings of a careful client in every respect.
  ///
  /// In the time zone of New York, Sunday, 8 March 2026 has 23 hours.
  package static let foreign = [
    "TimeZone=America/New_York", "DateStyle=SQL,DMY", "IntervalStyle=sql_standard",
    "extra_float_digits=-15", "bytea_output=escape", "standard_conforming_strings=off",
    "escape_string_warning=off", "lc_messages=C.utf8", "lc_monetary=C.utf8", "lc_numeric=C.utf8",
    "lc_time=C.utf8",
  ]

  /// The connection of the session.
  package let connection: Connection

  /// Opens a session whose search path is a schema.
  package init(
    _ settings: [String], to configuration: ConnectionConfiguration, in schema: Schema
  ) async throws {
    connection = try await Self.connect(settings, to: configuration)
    try await connection.script(
      Statement("test/path", "set search_path = \(schema.name), pg_temp"))
  }

  /// Opens a session whose caller sets the search path.
  package static func connect(
    _ settings: [String], to configuration: ConnectionConfiguration
  ) async throws -> Connection {
    let options = settings.map { "-c \($0)" }.joined(separator: " ")
    guard let encoded = options.addingPercentEncoding(withAllowedCharacters: .alphanumerics) else {
      throw TestFailure("\(options) cannot stand in an address")
    }
    let separator = configuration.address.contains("?") ? "&" : "?"
    return try await Connection.open(
      ConnectionConfiguration(
        address: configuration.address + separator + "options=" + encoded))
  }

  /// Returns the rows of a query with one text column, or the error of the query.
  package func ask(_ query: String) async throws -> [String] {
    let statement = Statement("test/ask/\(Array(query.utf8).hashValue)", query)
    do {
      return try await connection.run(
        .rows(statement) { (row) throws(PostgresError) in try row.decode(String.self) })
    } catch {
      return ["\(error.sqlState.code) \(error.message) \(error.hint ?? "")"]
    }
  }

  /// Stores the result of a call in a table with the given name.
  ///
  /// The result is not converted to text in the session, because the text of a time depends on the
  /// session's settings.
  ///
  /// - Returns: an empty array, or the error of the call.
  package func keep(_ name: String, _ call: String) async throws -> [String] {
    try await ask("create table kept_\(name) as select * from \(call)")
  }

  /// Stores the results of several calls, one after another.
  package func keep(_ calls: [(name: String, call: String)]) async throws -> [String] {
    var errors: [String] = []
    for (name, call) in calls { errors += try await keep(name, call) }
    return errors
  }

  /// Returns the names and rows of all stored results.
  ///
  /// Another connection converts the rows to text.
  package static func kept(by lines: (String) async throws -> [String]) async throws -> [String] {
    let tables = try await lines(
      """
      select relname::text from pg_class
      where relnamespace = current_schema()::regnamespace and relkind = 'r'
        and starts_with(relname, 'kept_')
      order by 1
      """)
    var all: [String] = []
    for table in tables {
      all += try await lines(
        "select '\(table.dropFirst(5)) ' || t::text from \(table) t order by 1")
    }
    return all
  }

  /// Returns the literals of a statement that contain a backslash and have no prefix E.
  package static func bareBackslashes(in statement: Statement) -> [String] {
    statement.text.split(separator: "\n").filter { !$0.hasPrefix("--") }.flatMap { line in
      line.matches(of: /(.?)'([^']*)'/)
        .filter { $0.2.contains("\\") && $0.1.lowercased() != "e" }
        .map { String($0.0) }
    }
  }
}
