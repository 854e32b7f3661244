import BatonPostgres
import RunnerSQL

extension Migrator {
  /// Runs a migration that cannot run in a transaction, under the migration lock.
  ///
  /// If the process is killed before the migration is recorded, the next migrator repeats it. The
  /// statements of a migration that cannot run in a transaction must therefore be repeatable.
  func applyOutside(
    _ pending: MigrationState.Pending, _ connection: Connection, _ roles: AccessRoles?,
    to outcome: inout Outcome
  ) async throws {
    guard await connection.isDirect else {
      throw SchemaProblem.needsDirectConnection(schema, name: pending.name)
    }
    // A transaction on another connection holds the migration lock, and also records the migration.
    let holder = try await Connection.open(connection.configuration)
    if let roles { await holder.act(as: roles.name("owner")) }
    let result: Result<Void, any Error>
    do {
      result = .success(
        try await lock.holding(holder) { transaction, _ in
          let listed = try await transaction.run(state.listMigrations)
          guard try state.pending(listed).first?.name == pending.name else { return }
          let before = try await ObjectDefinition.list(in: transaction)
          // This script releases the snapshot taken by the transaction's previous query. If the
          // transaction kept the snapshot, CREATE INDEX CONCURRENTLY on the other connection would
          // wait forever.
          try await transaction.script(SQL.Migrator.lock)
          try await applyAlone(pending, connection, roles)
          try await ObjectDefinition.record(since: before, in: transaction)
          try await transaction.run(record(pending))
          outcome.migrations.append(pending.name)
        })
    } catch {
      result = .failure(error)
    }
    await holder.close()
    try result.get()
  }

  /// Runs a migration that cannot run in a transaction, while another connection holds the
  /// migration lock.
  private func applyAlone(
    _ pending: MigrationState.Pending, _ connection: Connection, _ roles: AccessRoles?
  ) async throws {
    try await connection.run(.run(SQL.Migrator.enterSession, "\(schema.name), pg_temp"))
    let result: Result<Void, any Error>
    do {
      if let roles {
        try await connection.script(
          Statement("migrator/enter_role", "set role \(roles.name("owner"))"))
      }
      for text in pending.migration.statements {
        try await runAlone(Statement(pending.migration.name, text), connection)
      }
      result = .success(())
    } catch {
      result = .failure(error)
    }
    if roles != nil { try await connection.script(Statement("migrator/leave_role", "reset role")) }
    try await connection.run(.run(SQL.Migrator.leaveSession))
    try result.get()
  }

  /// Runs one statement of a migration that cannot run in a transaction.
  ///
  /// A statement that waits for a table lock blocks later statements of other sessions. The wait is
  /// therefore limited, and the statement is tried again. A statement with CONCURRENTLY blocks no
  /// reads and writes while it waits, also for older transactions. If a limit ended its wait, an
  /// invalid index would remain. For this reason, its wait has no limit, and it runs once.
  private func runAlone(_ statement: Statement, _ connection: Connection) async throws {
    let isConcurrent = SQLTokens(statement.text).all.contains(.word("concurrently"))
    let limit = isConcurrent ? 0 : patience.lockTimeout.milliseconds
    try await connection.script(Statement("migrator/limit_locks", "set lock_timeout = \(limit)"))
    if isConcurrent {
      try await connection.script(statement)
    } else {
      try await patience.tried { try await connection.script(statement) }
    }
  }
}
