import BatonPostgres
import RunnerSQL

/// The lock that allows only one migrator at a time to change a schema.
struct MigrationLock {
  let schema: Schema
  let patience: LockPatience
  /// A function that reports that the migrator is waiting for another migrator.
  var note: @Sendable (String) -> Void = { _ in }

  /// Runs `body` in a transaction that holds the migration lock.
  ///
  /// A schema without migrations does not have a table that could be locked. If two migrators
  /// create the schema at the same time, PostgreSQL rejects the second creation, and
  /// ``LockPatience`` retries the transaction.
  ///
  /// - Throws: ``SchemaProblem/locked(_:by:after:)`` if another transaction holds the lock for too
  ///   long, or any error that `body` throws.
  func holding<R>(
    _ connection: Connection, _ body: (Transaction, _ layout: String) async throws -> R
  ) async throws -> R {
    do {
      return try await locked(connection, within: patience.lockTimeout, body)
    } catch is Unavailable {
      let holders = try await holders(connection)
      note("waiting up to \(patience.migrator) for \(Self.text(holders))")
    }
    do {
      return try await locked(connection, within: patience.migrator, body)
    } catch is Unavailable {
      let holders = try await holders(connection)
      throw SchemaProblem.locked(schema, by: Self.text(holders), after: patience.migrator)
    }
  }

  private func locked<R>(
    _ connection: Connection, within limit: Duration,
    _ body: (Transaction, _ layout: String) async throws -> R
  ) async throws -> R {
    try await connection.transaction(in: schema) { transaction in
      let (_, layout) = try await transaction.run(begin(within: limit), readLayout)
      guard layout != "none" else { return try await body(transaction, layout) }
      do throws(PostgresError) {
        try await transaction.script(SQL.Migrator.lock)
      } catch {
        throw error.sqlState == .lockNotAvailable ? Unavailable() : error as any Error
      }
      // Another migrator may have changed the schema's layout while this migrator waited for the
      // lock.
      let (_, current) = try await transaction.run(begin(within: patience.lockTimeout), readLayout)
      return try await body(transaction, current)
    }
  }

  /// The migration lock was not available in time.
  private struct Unavailable: Error {}

  private func begin(within limit: Duration) -> Call<Void> {
    .run(SQL.Migrator.begin, schema.name, limit.milliseconds)
  }

  var readLayout: Call<String> {
    .row(SQL.Migrator.readLayout, schema.name) { (row) throws(PostgresError) in
      try row.decode(String.self)
    }
  }

  // MARK: Sessions that hold the lock

  private struct Holder {
    let pid: Int32
    let role: String?
    let program: String?
    let since: Timestamp?
  }

  private func holders(_ connection: Connection) async throws -> [Holder] {
    let list = Call.rows(SQL.Migrator.listHolders, schema.name) { (row) throws(PostgresError) in
      let (pid, role, program, since) = try row.decode(
        Int32.self, String?.self, String?.self, Timestamp?.self)
      return Holder(pid: pid, role: role, program: program, since: since)
    }
    return try await connection.run(list)
  }

  private static func text(_ holders: [Holder]) -> String {
    guard let holder = holders.first else { return "a migrator that has ended meanwhile" }
    var text = "the session \(holder.pid)"
    if let role = holder.role { text += " of the role \(role)" }
    if let program = holder.program, !program.isEmpty { text += " (\(program))" }
    if let since = holder.since { text += ", whose transaction began at \(since)" }
    return text
  }
}
