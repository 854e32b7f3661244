package import BatonPostgres
import Foundation

/// A client's own session, with settings of its own and without what a transaction of ours sets first.
package struct SettingsCaller: Sendable {
  /// As a careful client has it.
  package static let plain = [
    "TimeZone=UTC", "DateStyle=ISO,YMD", "IntervalStyle=postgres", "extra_float_digits=3",
    "bytea_output=hex", "standard_conforming_strings=on", "lc_messages=C", "lc_monetary=C",
    "lc_numeric=C", "lc_time=C",
  ]
  /// All of it different.
  ///
  /// In New York Sunday 8 March 2026 has 23 hours.
  package static let foreign = [
    "TimeZone=America/New_York", "DateStyle=SQL,DMY", "IntervalStyle=sql_standard",
    "extra_float_digits=-15", "bytea_output=escape", "standard_conforming_strings=off",
    "escape_string_warning=off", "lc_messages=C.utf8", "lc_monetary=C.utf8", "lc_numeric=C.utf8",
    "lc_time=C.utf8",
  ]

  /// The session.
  package let connection: Connection

  /// Opens a session in which bare names are a schema's.
  package init(
    _ settings: [String], to configuration: ConnectionConfiguration, in schema: Schema
  ) async throws {
    connection = try await Self.connect(settings, to: configuration)
    try await connection.script(
      Statement("test/path", "set search_path = \(schema.name), pg_temp"))
  }

  /// Opens a session for whoever sets a path of their own.
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

  /// The rows of a query of one text column, or the error that it ends with.
  package func ask(_ query: String) async throws -> [String] {
    let statement = Statement("test/ask/\(Array(query.utf8).hashValue)", query)
    do {
      return try await connection.run(
        .rows(statement) { (row) throws(PostgresError) in try row.decode(String.self) })
    } catch {
      return ["\(error.sqlState.code) \(error.message) \(error.hint ?? "")"]
    }
  }

  /// Keeps what a call answers as it is, in a table of this name: a session writes times in its own way.
  ///
  /// - Returns: nothing, or the error that it ends with.
  package func keep(_ name: String, _ call: String) async throws -> [String] {
    try await ask("create table kept_\(name) as select * from \(call)")
  }

  /// Keeps what each of several calls answers, one after the other.
  package func keep(_ calls: [(name: String, call: String)]) async throws -> [String] {
    var errors: [String] = []
    for (name, call) in calls { errors += try await keep(name, call) }
    return errors
  }

  /// All that was kept, as another connection writes it: name and row.
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

  /// Literals of a statement that hold a backslash and are not marked with an E.
  package static func bareBackslashes(in statement: Statement) -> [String] {
    statement.text.split(separator: "\n").filter { !$0.hasPrefix("--") }.flatMap { line in
      line.matches(of: /(.?)'([^']*)'/)
        .filter { $0.2.contains("\\") && $0.1.lowercased() != "e" }
        .map { String($0.0) }
    }
  }
}
