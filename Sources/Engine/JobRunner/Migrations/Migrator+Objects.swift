import BatonPostgres
import RunnerSQL

// The functions, views and triggers of a schema.
extension Migrator {
  /// Creates the changed functions and views, in dependency order.
  func makeFunctionsAndViews(
    _ changed: [MigrationState.Changed], in transaction: Transaction, to outcome: inout Outcome
  ) async throws {
    let newer = try await newerFunctions(in: transaction)
    for function in state.inOrder(changed.filter { $0.kind == .function }) {
      try await make(
        function, mayDrop: newer.contains(function.name), in: transaction, to: &outcome)
    }
    let views = state.inOrder(changed.filter { $0.kind == .view })
    // The migrator locks a view before the views that its definition names. A query locks views in
    // the same order, so the migrator and a query cannot deadlock.
    if !views.isEmpty { try await lock(views.reversed().map(\.name), in: transaction) }
    for view in views { try await make(view, in: transaction, to: &outcome) }
    try await transaction.script(SQL.Migrator.refuseOverloads)
  }

  /// Locks the views in the given order.
  func lock(_ views: [String], in transaction: Transaction) async throws {
    try await transaction.run(
      .run(SQL.Migrator.yieldToReaders, views.joined(separator: ",")))
    try await transaction.script(SQL.Migrator.lockViews)
  }

  /// Replaces and drops the changed triggers of a table.
  func replaceTriggers(
    of table: String, _ connection: Connection, to outcome: inout Outcome
  ) async throws {
    try await locked(connection, &outcome) { (transaction, done) in
      done.otherRelease = try await otherRelease(in: transaction)
      guard done.otherRelease == nil else { return }
      let changes = try await changedObjects(in: transaction)
        .filter { $0.kind == .trigger && $0.table == table }
      for change in changes {
        if change.object == nil {
          try await drop(change, in: transaction, to: &done)
        } else {
          try await make(change, in: transaction, to: &done)
        }
      }
      try await ObjectDefinition.record(
        triggers: changes.map(\.name), of: table, in: transaction)
    }
  }

  /// Drops functions and views that this binary no longer contains, and stores the versions of the
  /// schema's parts.
  func dropRest(_ connection: Connection, to outcome: inout Outcome) async throws {
    try await locked(connection, &outcome) { (transaction, done) in
      done.otherRelease = try await otherRelease(in: transaction)
      guard done.otherRelease == nil else { return }
      let gone = try await changedObjects(in: transaction).filter { $0.object == nil }
      let before = gone.isEmpty ? nil : try await ObjectDefinition.list(in: transaction)
      for kind in [SchemaObject.Kind.view, .function] {
        for change in gone where change.kind == kind {
          try await drop(change, in: transaction, to: &done)
        }
      }
      if !gone.isEmpty {
        try await ObjectDefinition.record(since: before, in: transaction)
      }
      let parts = try await transaction.run(state.listParts)
      for part in state.olderVersions(parts) {
        try await transaction.run(
          .count(SQL.Migrator.recordVersion, part.name, Int32(part.version)))
      }
    }
  }

  private func changedObjects(in transaction: Transaction) async throws -> [MigrationState.Changed]
  {
    let parts = try await transaction.run(state.listParts)
    return try await transaction.run(state.listObjects(besides: state.newerVersions(parts)))
  }

  /// Creates or replaces an object.
  ///
  /// - Parameter mayDrop: whether a function that PostgreSQL cannot replace is dropped first.
  func make(
    _ change: MigrationState.Changed, mayDrop: Bool = false, in transaction: Transaction,
    to outcome: inout Outcome
  ) async throws {
    guard let object = change.object else { return }
    let recorded = try await transaction.run(
      .count(
        SQL.Migrator.recordObject, change.part, object.kind.rawValue, object.name, object.table,
        object.statement.text))
    guard recorded == 1 else {
      throw SchemaProblem.taken(schema, object: "\(object.kind) \(object.name)")
    }
    if mayDrop {
      try await transaction.run(
        .run(SQL.Releases.nameFunction, object.name, object.statement.text))
      try await transaction.script(SQL.Releases.replaceFunction)
    } else {
      try await transaction.script(object.statement)
    }
    outcome.objects.append("\(object.kind) \(object.name)")
  }

  private func drop(
    _ change: MigrationState.Changed, in transaction: Transaction, to outcome: inout Outcome
  ) async throws {
    try await transaction.run(
      .run(SQL.Migrator.nameObject, change.kind.rawValue, change.name, change.table))
    try await transaction.script(SQL.Migrator.dropObject)
    try await transaction.run(
      .count(SQL.Migrator.forgetObject, change.kind.rawValue, change.name))
    outcome.objects.append("\(change.kind) \(change.name)")
  }
}
