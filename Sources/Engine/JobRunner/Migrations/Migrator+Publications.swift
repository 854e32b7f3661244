import BatonPostgres
import RunnerSQL

extension Migrator {
  /// A publication that makes PostgreSQL reject writes to a table of the schema.
  typealias RefusingPublication = (object: String, fix: String)

  /// Lists the publications that make PostgreSQL reject writes to tables of the schema.
  static let listRefusingPublications = Call<[RefusingPublication]>.rows(
    SQL.Migrator.listRefusingPublications
  ) { (row) throws(PostgresError) in
    let (object, fix) = try row.decode(String.self, String.self)
    return (object: object, fix: fix)
  }

  /// Rejects a schema if a publication would prevent workers from writing to its tables.
  func requireNoRefusingPublications(_ connection: Connection) async throws {
    let found = try await connection.transaction(in: schema) { transaction in
      try await transaction.run(Self.listRefusingPublications)
    }
    guard !found.isEmpty else { return }
    throw SchemaProblem.refusesWrites(
      schema, publications: found.map(\.object), fixes: found.map(\.fix))
  }
}
