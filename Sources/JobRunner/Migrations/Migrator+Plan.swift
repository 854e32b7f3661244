public import Postgres
import RunnerSQL

extension Migrator {
  /// What ``migrate(_:)`` would run.
  public struct Plan: Sendable {
    /// Migrations, oldest first.
    public var migrations: [Statement] = []
    /// Functions, views and triggers that are made, replaced or dropped.
    public var objects: [Statement] = []
  }

  /// What ``migrate(_:)`` would run, in order; nothing is run.
  ///
  /// - Throws: as ``migrate(_:)``.
  public func plan(_ connection: Connection) async throws -> Plan {
    try books.requireOneOwner()
    switch try await connection.run(readLayout) {
    case "none": return books.everything
    case "before": throw SchemaProblem.beforeParts(schema)
    default: break
    }
    return try await connection.transaction(in: schema) { transaction in
      let (listed, parts) = try await transaction.run(books.listMigrations, books.listParts)
      let changed: [SchemaBooks.Changed] = try await transaction.run(
        books.listObjects(besides: books.newerSets(parts)))
      return Plan(
        migrations: try books.pending(listed).map(\.migration),
        objects: books.inOrder(changed).compactMap { $0.object?.statement }
          + changed.filter { $0.object == nil }.map(\.drop))
    }
  }
}

extension SchemaBooks {
  /// For a schema that was never migrated.
  fileprivate var everything: Migrator.Plan {
    Migrator.Plan(
      migrations: parts.flatMap(\.migrations), objects: parts.flatMap(\.objects).map(\.statement))
  }
}

extension SchemaBooks.Changed {
  /// As people write it; the migrator asks the catalog for the parameters of a function.
  fileprivate var drop: Statement {
    Statement(
      "migrator/drop_object", "drop \(kind) \(name)\(kind == .trigger ? " on \(table)" : "")")
  }
}
