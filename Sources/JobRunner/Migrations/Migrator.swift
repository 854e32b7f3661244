public import Postgres
import SQLFiles

/// Brings a schema to the state this binary works with; safe for any number of callers at once.
///
/// Each migration is a transaction of its own under one advisory lock, noted in the same
/// transaction: a migrator that is killed anywhere is simply run again.
public struct Migrator: Sendable {
  private let schema: Schema
  private let migrations: [Statement]
  /// How long a migration waits for a lock, and how often it is tried in all.
  private let patience: (lockTimeout: Duration, tries: Int)

  /// A migrator of the migrations embedded in this binary.
  public init(_ schema: Schema) {
    self.init(schema, migrations: SQL.migrations)
  }

  init(
    _ schema: Schema, migrations: [Statement],
    patience: (lockTimeout: Duration, tries: Int) = (.seconds(2), 15)
  ) {
    self.schema = schema
    self.migrations = migrations
    self.patience = patience
  }

  /// Applies what is missing.
  ///
  /// - Returns: the names of the migrations applied by this call, oldest first.
  /// - Throws: ``SchemaProblem`` where the schema is not one that this binary can continue;
  ///   ``PostgresError`` where a migration fails. What was applied before stays.
  public func migrate(_ connection: Connection) async throws -> [String] {
    var applied: [String] = []
    while let name = try await applyNextPatiently(connection) { applied.append(name) }
    return applied
  }

  /// Tries again where a lock could not be had: between the tries whoever waits behind goes ahead.
  private func applyNextPatiently(_ connection: Connection) async throws -> String? {
    for attempt in 1... {
      do {
        return try await applyNext(connection)
      } catch let error as PostgresError
        where error.sqlState == .lockNotAvailable && attempt < patience.tries
      {
        try await Task.sleep(for: .milliseconds(100) * attempt)
      }
    }
    return nil
  }

  private func applyNext(_ connection: Connection) async throws -> String? {
    try await connection.transaction(in: schema) { transaction in
      try await transaction.run(
        .run(SQL.Migration.enter, schema.name, "\(patience.lockTimeout.milliseconds)ms"),
        .run(SQL.Migration.makeSchema))
      let listed = try await transaction.run(list)
      guard case .behind(let missing) = try state(listed), let next = missing.first,
        let migration = migrations.first(where: { $0.migrationName == next.name })
      else { return nil }
      try await transaction.script(migration)
      try await transaction.run(.run(SQL.Migration.record, next.name, next.own ?? ""))
      return next.name
    }
  }

  /// Checks that the schema is exactly the one this binary works with; changes nothing.
  ///
  /// - Throws: ``SchemaProblem`` saying which it is and what to do; ``PostgresError``.
  public func check(_ connection: Connection) async throws {
    let exists = try await connection.run(
      .row(SQL.Migration.exists, schema.name) { (row) throws(PostgresError) in
        try row.decode(Bool.self)
      })
    guard exists else { throw SchemaProblem.missing(schema) }
    let listed = try await connection.atomically(in: schema, list)
    guard case .current = try state(listed) else { throw SchemaProblem.older(schema) }
  }

  // MARK: What is applied

  private struct Listed: Sendable {
    let name: String
    let applied: String?
    let own: String?
  }

  private enum State {
    case current
    case behind([Listed])
  }

  private var list: Call<[Listed]> {
    .rows(SQL.Migration.listApplied, migrations.map(\.migrationName), migrations.map(\.text)) {
      (row) throws(PostgresError) in
      let (name, applied, own) = try row.decode(String.self, String?.self, String?.self)
      return Listed(name: name, applied: applied, own: own)
    }
  }

  private func state(_ listed: [Listed]) throws(SchemaProblem) -> State {
    if let unknown = listed.first(where: { $0.own == nil }) {
      throw .newer(schema, unknown: unknown.name)
    }
    if let edited = listed.first(where: { $0.applied != nil && $0.applied != $0.own }) {
      throw .edited(schema, name: edited.name)
    }
    let missing = listed.filter { $0.applied == nil }
    return missing.isEmpty ? .current : .behind(missing)
  }
}

/// Why a binary and a schema do not fit together.
public enum SchemaProblem: Error, Sendable, Equatable {
  /// The schema was never migrated.
  case missing(Schema)
  /// The schema lacks migrations of this binary.
  case older(Schema)
  /// The schema holds a migration that this binary does not know.
  case newer(Schema, unknown: String)
  /// A migration was changed after it had been applied.
  case edited(Schema, name: String)
}

extension Statement {
  /// The file's name without its folder: what the list of applied migrations holds.
  fileprivate var migrationName: String { String(name.split(separator: "/").last ?? "") }
}
