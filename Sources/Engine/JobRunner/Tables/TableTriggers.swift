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
  /// triggers fails, the committed changes to other tables remain.
  ///
  /// - Returns: the names of the declarations whose triggers were created, replaced or removed.
  /// - Throws: ``UnfitTable`` if a declared table does not meet the requirements,
  ///   ``UnfitCondition`` if a condition is rejected, or ``PostgresError``. Tables and conditions
  ///   are checked before any change.
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

  /// Returns the statements that ``migrate(_:)`` would run, without running them.
  ///
  /// - Throws: the same errors as ``migrate(_:)``.
  package func plan(_ connection: Connection) async throws -> [Statement] {
    try await Session(connection, in: schema).transaction { transaction in
      let changes = try await changes(in: transaction)
      return Set(changes.map(\.table)).sorted().flatMap { table in
        TableTriggerChange.statements(of: changes.filter { $0.table == table })
      }
    }
  }

  // MARK: Single tables

  private func change(_ table: String, _ connection: Connection) async throws -> [String] {
    try await locked(connection) { transaction in
      let changes = try await changes(in: transaction).filter { $0.table == table }
      let before = try await ObjectDefinition.list(in: transaction)
      for statement in TableTriggerChange.statements(of: changes) {
        try await transaction.script(statement)
      }
      for change in changes { try await transaction.run(change.entry) }
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
    let changed = own.compactMap { text in
      TableTriggerChange(to: text, from: made.first { $0.name == text.name }, by: program)
    }
    for text in own where changed.contains(where: { $0.name == text.name }) {
      try await text.checkCondition(in: transaction)
    }
    let removed = made.filter { trigger in
      trigger.program == program && !own.contains { $0.name == trigger.name }
    }.map { TableTriggerChange(removing: $0) }
    return removed + changed
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
