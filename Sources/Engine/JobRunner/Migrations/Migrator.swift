public import BatonPostgres
import RunnerSQL

/// Migrates a schema to the version of this binary.
///
/// Any number of callers may migrate the schema at the same time. Pending migrations, and changed
/// functions and views of all parts, are committed in one transaction. For a new schema, this
/// transaction also creates the triggers. In an existing schema, changed triggers are replaced
/// after the transaction that commits the functions and views. Each table's triggers are changed in
/// a separate transaction. A transaction that locked two tables could deadlock with a user's
/// transaction. Finally, the migrator drops functions and views that the binary no longer contains,
/// and stores the parts' versions.
///
/// Each transaction takes the ``MigrationLock`` and first reads the current state of the schema. If
/// a migrator is killed at any point, the migration can simply be run again.
public struct Migrator: Sendable {
  /// The changes that a migration made.
  public struct Outcome: Sendable, Equatable {
    /// The applied migrations as `part/name`, oldest first.
    public var migrations: [String] = []
    /// The functions, views and triggers that were created, replaced or dropped, as `kind name`.
    public var objects: [String] = []
    /// The schema parts that a newer program has migrated.
    ///
    /// The migration did not change the functions, views and triggers of the parts in this list.
    public var newerVersions: [String] = []
    /// The statements that granted and revoked rights, in order.
    public var rights: [String] = []
    /// The number of the current release if it prevents the migration, or nil if it does not.
    ///
    /// If the current release prevents the migration from the start, the migration does not change
    /// anything.
    package var otherRelease: Int?
    /// The release that was current before the program took over with `--take-over`.
    package var replacedRelease: Int?
  }

  let schema: Schema
  let state: MigrationState
  let patience: LockPatience
  /// Reports that the migrator is waiting for another migrator.
  package var note: @Sendable (String) -> Void = { _ in }
  /// The release of the migrating program, or nil to migrate regardless of releases.
  let release: ProgramRelease?

  /// Creates a migrator for the runner's part and the given parts of a product, in this order.
  public init(_ schema: Schema, parts: [SchemaPart] = []) {
    self.init(schema, parts: parts, release: nil)
  }

  /// Creates a migrator for a program that changes the schema only while its release is current.
  package init(_ schema: Schema, parts: [SchemaPart], release: ProgramRelease?) {
    self.init(schema, allParts: [SQL.runner] + parts, release: release)
  }

  init(
    _ schema: Schema, allParts: [SchemaPart],
    patience: LockPatience = LockPatience(), release: ProgramRelease? = nil
  ) {
    self.schema = schema
    state = MigrationState(schema, allParts)
    self.patience = patience
    self.release = release
  }

  /// Applies all pending changes.
  ///
  /// If a migration fails, the changes made by committed transactions remain.
  ///
  /// - Parameter makesAPIRole: whether to create the API's role if it is missing, and to give it
  ///   access to the schema. Later calls also correct the rights of the API's role, even if
  ///   `makesAPIRole` is false.
  /// - Throws: ``SchemaProblem`` if this binary cannot migrate the schema, or if the API's role
  ///   cannot be created. ``PostgresError`` if a statement fails.
  public func migrate(
    _ connection: Connection, makesAPIRole: Bool = false
  ) async throws -> Outcome {
    try await migrate(connection, makesAPIRole: makesAPIRole, takesOver: false)
  }

  /// Applies all pending changes, if the program's release is current.
  ///
  /// - Parameter takesOver: whether the program's release becomes current even if a newer release
  ///   is current.
  /// - Throws: the same errors as ``migrate(_:makesAPIRole:)``.
  package func migrate(
    _ connection: Connection, makesAPIRole: Bool = false, takesOver: Bool
  ) async throws -> Outcome {
    try state.requireOneOwner()
    try await requireNoShadows(connection)
    try await requireDatabase(connection)
    try await requireNoRefusingPublications(connection)
    let roles = try await actAsOwner(connection)
    var outcome = Outcome()
    var beginning = try await patience.tried {
      try await begin(takesOver: takesOver, connection, to: &outcome)
    }
    if beginning == .other { return outcome }
    if makesAPIRole, roles == nil { try await makeAPIRole(connection) }
    while true {
      switch try await patience.tried({
        try await applyMigrations(connection, roles, invites: makesAPIRole, to: &outcome)
      }) {
      case .nothing: return outcome
      case .migration(let outside):
        try await applyOutside(outside, connection, roles, to: &outcome)
      case .triggers(let tables):
        if beginning == .noReleases {
          beginning = try await patience.tried {
            try await begin(takesOver: false, connection, to: &outcome)
          }
        }
        for table in tables {
          try await patience.tried {
            try await replaceTriggers(of: table, connection, to: &outcome)
          }
        }
        try await patience.tried { try await dropRest(connection, to: &outcome) }
        return outcome
      }
    }
  }

  /// Checks that this binary is compatible with the schema, without changing anything.
  ///
  /// - Returns: the parts of the schema that this binary does not contain.
  /// - Throws: ``SchemaProblem`` with the reason and the next step, or ``PostgresError``.
  @discardableResult
  public func check(_ connection: Connection) async throws -> [String] {
    try await requireNoShadows(connection)
    let (layout, settings) = try await connection.pipeline(readLayout, Self.readSessionSettings)
    try require(settings)
    switch layout {
    case "none": throw SchemaProblem.missing(schema)
    case "before": throw SchemaProblem.beforeParts(schema)
    default: break
    }
    let (listed, parts) = try await connection.atomically(
      in: schema, state.listMigrations, state.listParts)
    guard try state.pending(listed).isEmpty, state.olderVersions(parts).isEmpty else {
      if let release,
        let current = try await Session(connection, in: schema)
          .otherRelease(than: release)?.number
      {
        throw SchemaProblem.notCurrent(schema, release, current: current)
      }
      throw SchemaProblem.older(schema)
    }
    return state.unknownParts(parts)
  }

  var readLayout: Call<String> { lock.readLayout }

  // MARK: Steps

  /// The next step after the transaction that was just committed.
  private enum Next {
    /// The migration cannot run in a transaction, and must run before the remaining migrations.
    case migration(MigrationState.Pending)
    /// All migrations are applied, and the triggers of the given tables must be replaced.
    case triggers(of: [String])
    /// Another release is current, so the migrator changes nothing.
    case nothing
  }

  /// Applies pending migrations up to the first one that cannot run in a transaction.
  ///
  /// If all pending migrations can run in a transaction, the method also creates the changed
  /// functions and views.
  private func applyMigrations(
    _ connection: Connection, _ roles: AccessRoles?, invites: Bool, to outcome: inout Outcome
  ) async throws -> Next {
    try await locked(connection, &outcome) { (transaction, done) -> Next in
      done.otherRelease = try await otherRelease(in: transaction)
      guard done.otherRelease == nil else { return .nothing }
      try await transaction.script(SQL.Migrator.renameParts)
      try await transaction.script(SQL.Migrator.extendRecords)
      let before = try await forgetChanged(in: transaction)
      let listed = try await transaction.run(state.listMigrations)
      for pending in try state.pending(listed) {
        guard pending.isTransactional else {
          try await setRights(roles, in: transaction, to: &done)
          try await ObjectDefinition.record(since: before, in: transaction)
          return .migration(pending)
        }
        try await transaction.script(pending.migration)
        try await transaction.run(record(pending))
        done.migrations.append(pending.name)
      }
      let parts = try await transaction.run(state.listParts)
      done.newerVersions = state.newerVersions(parts)
      let list = state.listObjects(besides: done.newerVersions)
      var changed: [MigrationState.Changed] = try await transaction.run(list)
      if try await dropNewerViews(changed, in: transaction) {
        changed = try await transaction.run(list)
      }
      try await makeFunctionsAndViews(changed, in: transaction, to: &done)
      // The rights are set in the transaction that creates the functions. With two separate
      // transactions, every role could call the new functions between the first and the second
      // COMMIT.
      try await setRights(roles, invites: invites, in: transaction, to: &done)
      var triggers = changed.filter { $0.kind == .trigger }
      // Other sessions cannot lock a new schema's tables before this transaction commits.
      if listed.allSatisfy({ $0.applied == nil }) {
        for trigger in triggers { try await make(trigger, in: transaction, to: &done) }
        triggers = []
      }
      if !done.migrations.isEmpty || !done.objects.isEmpty || before.lacksRecord {
        try await ObjectDefinition.record(since: before, in: transaction)
      }
      return .triggers(of: Set(triggers.map(\.table)).sorted())
    }
  }

  func record(_ pending: MigrationState.Pending) -> Call<Int> {
    .count(
      SQL.Migrator.recordMigration, pending.part, pending.migration.fileName,
      pending.migration.text, release?.program, release.map { Int32($0.number) },
      MigrationCompatibility.isCompatible(pending.migration))
  }

  // MARK: Locks

  var lock: MigrationLock { MigrationLock(schema: schema, patience: patience, note: note) }

  /// Runs `body` in a transaction under the migration lock, and creates the schema if it is
  /// missing.
  ///
  /// - Parameter outcome: updated with the changes made by `body` after the transaction has
  ///   committed.
  func locked<R>(
    _ connection: Connection, _ outcome: inout Outcome,
    _ body: (Transaction, inout Outcome) async throws -> R
  ) async throws -> R {
    var done = outcome
    let result = try await lock.holding(connection) { transaction, layout in
      guard layout != "before" else { throw SchemaProblem.beforeParts(schema) }
      if layout == "none" { try await transaction.script(SQL.Migrator.makeSchema) }
      return try await body(transaction, &done)
    }
    outcome = done
    return result
  }
}
