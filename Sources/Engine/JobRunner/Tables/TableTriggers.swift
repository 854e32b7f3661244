package import BatonPostgres
import RunnerSQL

/// The triggers that the jobs of a program declare, beside what of them is in a schema.
///
/// They are made behind migrations and definitions, so that the fold knows their topic before the first event
/// comes. Each table has a transaction of its own, whose first lock on the table is the strongest that it
/// takes: two tables at once, or a lock that grows, could make a user's write the victim of a deadlock.
package struct TableTriggers: Sendable {
  let schema: Schema
  let program: String
  let declarations: [TableDeclaration]
  let patience: LockPatience

  /// The triggers of a program's jobs.
  ///
  /// - Parameter program: who owns them: what it declares no longer is removed, what others do stays.
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

  /// Makes what is missing or another, and removes what the program declares no longer.
  ///
  /// - Returns: the names of the declarations whose triggers were made, replaced or dropped.
  /// - Throws: ``UnfitTable`` where a declared table is not what it has to be, and then nothing is changed;
  ///   ``PostgresError``. The tables that were dealt with before stay so.
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

  /// What ``migrate(_:)`` would run, in order; nothing is run.
  ///
  /// - Throws: as ``migrate(_:)``.
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
