public import BatonPostgres
import RunnerSQL

/// Brings a schema to the state this binary works with; safe for any number of callers at once.
///
/// Pending migrations and changed functions and views of all parts commit together; then changed triggers,
/// one table a transaction, because two tables at once can make a user's write the victim of a deadlock;
/// then what only they used goes, and the numbers of the sets are written. Each of these is under one
/// advisory lock and begins with what is there: a migrator that is killed anywhere is simply run again.
public struct Migrator: Sendable {
  /// What a call has done.
  public struct Outcome: Sendable, Equatable {
    /// The migrations that it applied, as `part/name`, oldest first.
    public var migrations: [String] = []
    /// The functions, views and triggers that it made, replaced or dropped, as `kind name`.
    public var objects: [String] = []
    /// Parts whose functions, views and triggers a newer program has made: they were left as they are.
    public var newerVersions: [String] = []
    /// What it granted and took back, as statements.
    public var rights: [String] = []
  }

  let schema: Schema
  let books: SchemaBooks
  let patience: LockPatience

  /// A migrator of the runner's part and of those of a product, in this order.
  public init(_ schema: Schema, parts: [SchemaPart] = []) {
    self.init(schema, allParts: [SQL.runner] + parts)
  }

  init(
    _ schema: Schema, allParts: [SchemaPart],
    patience: LockPatience = LockPatience()
  ) {
    self.schema = schema
    books = SchemaBooks(schema, allParts)
    self.patience = patience
  }

  /// Applies what is missing.
  ///
  /// - Parameter makesAPIRole: makes the role of an API where it is not there, and lets it in. Later calls
  ///   keep its rights what they should be, whatever they say here.
  /// - Throws: ``SchemaProblem`` where the schema is not one that this binary can continue, or the role cannot be
  ///   made; ``PostgresError`` where a migration fails. What was committed before stays.
  public func migrate(
    _ connection: Connection, makesAPIRole: Bool = false
  ) async throws -> Outcome {
    try books.requireOneOwner()
    let roles = try await actAsOwner(connection)
    if makesAPIRole, roles == nil { try await makeAPIRole(connection) }
    var outcome = Outcome()
    while true {
      switch try await patience.tried({
        try await applyMigrations(connection, roles, invites: makesAPIRole, to: &outcome)
      }) {
      case .migration(let outside):
        try await applyOutside(outside, connection, roles, to: &outcome)
      case .triggers(let tables):
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

  /// Checks that the schema is one that this binary works with; changes nothing.
  ///
  /// - Returns: the schema's parts that this binary does not know.
  /// - Throws: ``SchemaProblem`` saying which it is and what to do; ``PostgresError``.
  @discardableResult
  public func check(_ connection: Connection) async throws -> [String] {
    switch try await connection.run(readLayout) {
    case "none": throw SchemaProblem.missing(schema)
    case "before": throw SchemaProblem.beforeParts(schema)
    default: break
    }
    let (listed, parts) = try await connection.atomically(
      in: schema, books.listMigrations, books.listParts)
    guard try books.pending(listed).isEmpty, books.olderVersions(parts).isEmpty else {
      throw SchemaProblem.older(schema)
    }
    return books.unknownParts(parts)
  }

  var readLayout: Call<String> {
    .row(SQL.Migrator.readLayout, schema.name) { (row) throws(PostgresError) in
      try row.decode(String.self)
    }
  }

  // MARK: Steps

  /// What comes behind the transaction that has just committed.
  private enum Next {
    /// A migration that no transaction may hold; what was behind it is still to come.
    case migration(SchemaBooks.Pending)
    /// Those of these tables.
    case triggers(of: [String])
  }

  /// Applies pending migrations up to the first that no transaction may hold; where there is none, all of
  /// them and what of functions and views has changed.
  private func applyMigrations(
    _ connection: Connection, _ roles: AccessRoles?, invites: Bool, to outcome: inout Outcome
  ) async throws -> Next {
    try await locked(connection, &outcome) { (transaction, done) -> Next in
      try await transaction.script(SQL.Migrator.renameParts)
      let (listed, parts) = try await transaction.run(books.listMigrations, books.listParts)
      for pending in try books.pending(listed) {
        guard pending.isTransactional else {
          try await setRights(roles, in: transaction, to: &done)
          return .migration(pending)
        }
        try await transaction.script(pending.migration)
        try await transaction.run(record(pending))
        done.migrations.append(pending.name)
      }
      done.newerVersions = books.newerVersions(parts)
      let changed: [SchemaBooks.Changed] = try await transaction.run(
        books.listObjects(besides: done.newerVersions))
      try await makeFunctionsAndViews(changed, in: transaction, to: &done)
      // With the functions: between two commits anybody could call them.
      try await setRights(roles, invites: invites, in: transaction, to: &done)
      return .triggers(of: Set(changed.filter { $0.kind == .trigger }.map(\.table)).sorted())
    }
  }

  private func makeFunctionsAndViews(
    _ changed: [SchemaBooks.Changed], in transaction: Transaction, to outcome: inout Outcome
  ) async throws {
    for function in books.inOrder(changed.filter { $0.kind == .function }) {
      try await make(function, in: transaction, to: &outcome)
    }
    let views = books.inOrder(changed.filter { $0.kind == .view })
    if !views.isEmpty { try await lock(views, in: transaction) }
    for view in views { try await make(view, in: transaction, to: &outcome) }
    try await transaction.script(SQL.Migrator.refuseOverloads)
  }

  private func lock(
    _ views: [SchemaBooks.Changed], in transaction: Transaction
  ) async throws {
    // Whoever reads a view locks it ahead of the views that it reads.
    let outerFirst = views.reversed().map(\.name).joined(separator: ",")
    try await transaction.run(.run(SQL.Migrator.yieldToReaders, outerFirst))
    try await transaction.script(SQL.Migrator.lockViews)
  }

  private func replaceTriggers(
    of table: String, _ connection: Connection, to outcome: inout Outcome
  ) async throws {
    try await locked(connection, &outcome) { (transaction, done) in
      for change in try await changedObjects(in: transaction)
      where change.kind == .trigger && change.table == table {
        if change.object == nil {
          try await drop(change, in: transaction, to: &done)
        } else {
          try await make(change, in: transaction, to: &done)
        }
      }
    }
  }

  /// Drops functions and views that this binary has no longer, and writes the numbers of the sets.
  private func dropRest(_ connection: Connection, to outcome: inout Outcome) async throws {
    try await locked(connection, &outcome) { (transaction, done) in
      let gone = try await changedObjects(in: transaction).filter { $0.object == nil }
      for kind in [SchemaObject.Kind.view, .function] {
        for change in gone where change.kind == kind {
          try await drop(change, in: transaction, to: &done)
        }
      }
      let parts = try await transaction.run(books.listParts)
      for part in books.olderVersions(parts) {
        try await transaction.run(
          .count(SQL.Migrator.recordVersion, part.name, Int32(part.version)))
      }
    }
  }

  private func changedObjects(in transaction: Transaction) async throws -> [SchemaBooks.Changed] {
    let parts = try await transaction.run(books.listParts)
    return try await transaction.run(books.listObjects(besides: books.newerVersions(parts)))
  }

  // MARK: One thing

  private func record(_ pending: SchemaBooks.Pending) -> Call<Int> {
    .count(
      SQL.Migrator.recordMigration, pending.part, pending.migration.fileName,
      pending.migration.text)
  }

  private func make(
    _ change: SchemaBooks.Changed, in transaction: Transaction, to outcome: inout Outcome
  ) async throws {
    guard let object = change.object else { return }
    let recorded = try await transaction.run(
      .count(
        SQL.Migrator.recordObject, change.part, object.kind.rawValue, object.name, object.table,
        object.statement.text))
    guard recorded == 1 else {
      throw SchemaProblem.taken(schema, object: "\(object.kind) \(object.name)")
    }
    try await transaction.script(object.statement)
    outcome.objects.append("\(object.kind) \(object.name)")
  }

  private func drop(
    _ change: SchemaBooks.Changed, in transaction: Transaction, to outcome: inout Outcome
  ) async throws {
    try await transaction.run(
      .run(SQL.Migrator.nameObject, change.kind.rawValue, change.name, change.table))
    try await transaction.script(SQL.Migrator.dropObject)
    try await transaction.run(
      .count(SQL.Migrator.forgetObject, change.kind.rawValue, change.name))
    outcome.objects.append("\(change.kind) \(change.name)")
  }

  /// Runs a migration that no transaction may hold, under a lock of the session.
  ///
  /// Killed between its statements and its entry in the books it is run again, so it has to bear that.
  private func applyOutside(
    _ pending: SchemaBooks.Pending, _ connection: Connection, _ roles: AccessRoles?,
    to outcome: inout Outcome
  ) async throws {
    guard await connection.isDirect else {
      throw SchemaProblem.needsDirectConnection(schema, name: pending.name)
    }
    try await connection.run(
      .run(SQL.Migrator.lockSession, schema.name, "\(schema.name), pg_temp"))
    let result: Result<Void, any Error>
    do {
      let listed = try await connection.atomically(in: schema, books.listMigrations)
      if try books.pending(listed).first?.name == pending.name {
        if let roles {
          try await connection.script(
            Statement("migrator/enter_role", "set role \(roles.name("owner"))"))
        }
        try await connection.runEach(of: pending.migration)
        _ = try await connection.atomically(in: schema, record(pending))
        outcome.migrations.append(pending.name)
      }
      result = .success(())
    } catch {
      result = .failure(error)
    }
    if roles != nil { try await connection.script(Statement("migrator/leave_role", "reset role")) }
    try await connection.run(.run(SQL.Migrator.unlockSession, schema.name))
    try result.get()
  }

  // MARK: Locks

  /// - Parameter outcome: what a body has done counts when its transaction has committed.
  func locked<R>(
    _ connection: Connection, _ outcome: inout Outcome,
    _ body: (Transaction, inout Outcome) async throws -> R
  ) async throws -> R {
    var done = outcome
    let result = try await connection.transaction(in: schema) { transaction in
      let (_, layout) = try await transaction.run(
        .run(SQL.Migrator.lock, schema.name, patience.lockTimeout.milliseconds), readLayout)
      guard layout != "before" else { throw SchemaProblem.beforeParts(schema) }
      if layout == "none" { try await transaction.script(SQL.Migrator.makeSchema) }
      return try await body(transaction, &done)
    }
    outcome = done
    return result
  }
}
