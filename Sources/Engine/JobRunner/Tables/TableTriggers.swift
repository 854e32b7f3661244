package import BatonPostgres
import RunnerSQL

/// The triggers that the jobs of a program declare, and their state in a schema.
///
/// They are made after migrations and definitions, so that the fold knows their topic before the first event arrives.
/// Each table has a transaction of its own, and its first lock on the table is the strongest one that it takes. Two
/// tables in one transaction, or a lock upgrade, could make a user's write the victim of a deadlock.
package struct TableTriggers: Sendable {
  let schema: Schema
  let program: String
  let declarations: [TableDeclaration]
  let patience: LockPatience

  /// Makes the triggers of a program's jobs.
  ///
  /// - Parameter program: the owner of the triggers; triggers that it no longer declares are removed, those of other
  ///   programs stay.
  package init(_ schema: Schema, of program: String, jobs: [RegisteredJob]) {
    self.init(schema, of: program, TableDeclaration.all(of: jobs))
  }

  init(
    _ schema: Schema, of program: String, _ declarations: [TableDeclaration],
    patience: LockPatience = LockPatience()
  ) {
    self.schema = schema
    self.program = program
    self.declarations = declarations
    self.patience = patience
  }

  /// Makes missing triggers, replaces changed ones, and removes those that the program no longer declares.
  ///
  /// - Returns: the names of the declarations whose triggers were made, replaced or dropped.
  /// - Throws: ``UnfitTable`` if a declared table does not meet the requirements, and then nothing is changed;
  ///   ``PostgresError``. Changes of earlier tables remain.
  package func migrate(_ connection: Connection) async throws -> [String] {
    let tables = try await patience.tried {
      try await locked(connection) { try await changes(in: $0).map(\.table) }
    }
    var made: [String] = []
    for table in Set(tables).sorted() {
      made += try await patience.tried { try await change(table, connection) }
    }
    return made
  }

  /// Returns the statements that ``migrate(_:)`` would run, in order; it runs none of them.
  ///
  /// - Throws: the errors of ``migrate(_:)``.
  package func plan(_ connection: Connection) async throws -> [Statement] {
    try await Session(connection, in: schema).transaction { transaction in
      let changes = try await changes(in: transaction)
      return Set(changes.map(\.table)).sorted().flatMap { table in
        TableTriggerChange.statements(of: changes.filter { $0.table == table })
      }
    }
  }

  // MARK: One table

  private func change(_ table: String, _ connection: Connection) async throws -> [String] {
    try await locked(connection) { transaction in
      let changes = try await changes(in: transaction).filter { $0.table == table }
      for statement in TableTriggerChange.statements(of: changes) {
        try await transaction.script(statement)
      }
      for change in changes { try await transaction.run(change.entry) }
      return changes.map(\.name)
    }
  }

  private func locked<R>(
    _ connection: Connection, _ body: (Transaction) async throws -> R
  ) async throws -> R {
    try await Session(connection, in: schema).transaction { transaction in
      try await transaction.run(
        .run(SQL.Migrator.lock, schema.name, patience.lockTimeout.milliseconds))
      return try await body(transaction)
    }
  }

  private func changes(in transaction: Transaction) async throws -> [TableTriggerChange] {
    let own = try await declared(in: transaction)
    let made = try await transaction.run(MadeTableTrigger.list(own))
    let changed = own.compactMap { text in
      TableTriggerChange(to: text, from: made.first { $0.name == text.name }, by: program)
    }
    let removed = made.filter { trigger in
      trigger.program == program && !own.contains { $0.name == trigger.name }
    }.map { TableTriggerChange(removing: $0) }
    return removed + changed
  }

  private func declared(in transaction: Transaction) async throws -> [TableTriggerText] {
    guard !declarations.isEmpty else { return [] }
    let found = try await transaction.run(TableDeclaration.describe(declarations))
    return try found.map { declaration, found in
      TableTriggerText(
        job: declaration.job, trigger: declaration.trigger, table: try found.get(), in: schema)
    }
  }
}
