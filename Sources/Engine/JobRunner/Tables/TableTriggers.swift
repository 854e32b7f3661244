package import BatonPostgres
import RunnerSQL

/// The triggers that a program's jobs declare, and their state in a schema.
///
/// The triggers are created after the migrations have run and the job definitions have been stored.
/// If a trigger wrote an event before its job's definition was stored, the fold would not know the
/// event's topic. The triggers of each table are changed in a separate transaction. A transaction
/// that changes triggers takes its strongest lock on the table first. If the transaction locked a
/// second table, or later took a stronger lock, a deadlock could abort a user's write.
package struct TableTriggers: Sendable {
  let schema: Schema
  let program: String
  let declarations: [TableDeclaration]
  let patience: LockPatience
  /// The program's release, or nil to migrate regardless of releases.
  private let release: ProgramRelease?

  /// Creates the declarations of a program's jobs, without accessing the database.
  ///
  /// - Parameter program: the owner of the triggers. A migration removes triggers that this program
  ///   no longer declares, but not those of other programs.
  package init(_ schema: Schema, of program: String, jobs: [RegisteredJob]) {
    self.init(schema, of: program, TableDeclaration.all(of: jobs))
  }

  /// Creates the declarations of a program's jobs.
  ///
  /// The declarations are migrated only while the program's release is current.
  package init(_ schema: Schema, of release: ProgramRelease, jobs: [RegisteredJob]) {
    self.init(
      schema, of: release.program, TableDeclaration.all(of: jobs), release: release)
  }

  init(
    _ schema: Schema, of program: String, _ declarations: [TableDeclaration],
    patience: LockPatience = LockPatience(), release: ProgramRelease? = nil
  ) {
    self.schema = schema
    self.release = release
    self.program = program
    self.declarations = declarations
    self.patience = patience
  }

  /// Creates missing triggers, replaces changed triggers, and removes triggers that the program no
  /// longer declares.
  ///
  /// The triggers of each table are changed in a separate transaction. If changing one table's
  /// triggers fails, the committed changes to other tables remain. Triggers on tables other than
  /// the declared ones are dropped first, because a function cannot be dropped before its triggers.
  ///
  /// - Returns: the names of the declarations whose triggers were created, replaced or removed.
  /// - Throws: ``UnfitTable`` if a declared table does not meet the requirements,
  ///   ``UnfitCondition`` if a condition is rejected, or ``PostgresError``. Tables and conditions
  ///   are checked before any change.
  package func migrate(_ connection: Connection) async throws -> [String] {
    let planned = try await patience.tried {
      try await locked(connection) { transaction in
        try await changes(in: transaction).map { (table: $0.table, isStray: $0.isStray) }
      }
    }
    var made: [String] = []
    for isStray in [true, false] {
      let tables = planned.filter { $0.isStray == isStray }.map { $0.table }
      for table in Set(tables).sorted() {
        let names = try await patience.tried {
          try await change(table, isStray: isStray, connection)
        }
        for name in names where !made.contains(name) { made.append(name) }
      }
    }
    return made
  }

  /// Returns the statements that ``migrate(_:)`` would run, without running them.
  ///
  /// - Throws: the same errors as ``migrate(_:)``.
  package func plan(_ connection: Connection) async throws -> [Statement] {
    try await Session(connection, in: schema).transaction { transaction in
      let changes = try await changes(in: transaction)
      let parts = [true, false].map { isStray in changes.filter { $0.isStray == isStray } }
      return parts.flatMap { (part) -> [Statement] in
        Set(part.map(\.table)).sorted().flatMap { table in
          TableTriggerChange.statements(of: part.filter { $0.table == table })
        }
      }
    }
  }

  // MARK: Single tables

  private func change(
    _ table: String, isStray: Bool, _ connection: Connection
  ) async throws -> [String] {
    try await locked(connection) { transaction in
      let changes = try await changes(in: transaction)
        .filter { $0.table == table && $0.isStray == isStray }
      let before = try await ObjectDefinition.list(in: transaction)
      for statement in TableTriggerChange.statements(of: changes) {
        try await transaction.script(statement)
      }
      for entry in changes.compactMap(\.entry) { try await transaction.run(entry) }
      try await ObjectDefinition.record(since: before, in: transaction)
      return changes.map(\.name)
    }
  }

  private func locked<R>(
    _ connection: Connection, _ body: (Transaction) async throws -> R
  ) async throws -> R {
    try await MigrationLock(schema: schema, patience: patience).holding(connection) {
      transaction, _ in try await body(transaction)
    }
  }

  private func changes(in transaction: Transaction) async throws -> [TableTriggerChange] {
    // The triggers of each table are changed in a separate transaction. A newer release may become
    // current between two such transactions.
    guard try await isCurrent(in: transaction) else { return [] }
    let own = try await declared(in: transaction)
    let made = try await transaction.run(MadeTableTrigger.list(own))
    let changed = own.compactMap { text -> TableTriggerChange? in
      let tables = made.filter { $0.name == text.name }
      let there = tables.first { $0.quotedTable == text.quotedTable } ?? tables.first
      return TableTriggerChange(to: text, from: there, by: program)
    }
    for text in own where changed.contains(where: { $0.name == text.name }) {
      try await text.checkCondition(in: transaction)
    }
    let gone = made.filter { trigger in
      trigger.program == program && !own.contains { $0.name == trigger.name }
    }
    // The functions are dropped together with the triggers on the first table.
    let removed = gone.filter { trigger in
      gone.first { $0.name == trigger.name }?.quotedTable == trigger.quotedTable
    }
    let strays = made.filter { trigger in
      let declared = own.first { $0.name == trigger.name }?.quotedTable
      let kept = declared ?? removed.first { $0.name == trigger.name }?.quotedTable
      return trigger.quotedTable != nil && kept != nil && trigger.quotedTable != kept
    }
    return strays.map { TableTriggerChange(droppingStray: $0) }
      + removed.map { TableTriggerChange(removing: $0) } + changed
  }

  /// Lists the jobs that declare table triggers and are retired.
  var listRetired: Call<[String]> {
    .rows(SQL.Workers.listRetired, declarations.map(\.job), as: String.self)
  }

  func declarations(without retired: [String]) -> [TableDeclaration] {
    declarations.filter { !retired.contains($0.job) }
  }

  private func isCurrent(in transaction: Transaction) async throws -> Bool {
    guard let release else { return true }
    let current = try await transaction.run(CurrentRelease.read(release.program)).first
    return current?.admits(release.number) ?? true
  }

  private func declared(in transaction: Transaction) async throws -> [TableTriggerText] {
    guard !declarations.isEmpty else { return [] }
    let retired = try await transaction.run(listRetired)
    let found = try await transaction.run(TableDeclaration.describe(declarations(without: retired)))
    return try found.map { declaration, found in
      TableTriggerText(
        job: declaration.job, trigger: declaration.trigger, table: try found.get(), in: schema)
    }
  }
}
