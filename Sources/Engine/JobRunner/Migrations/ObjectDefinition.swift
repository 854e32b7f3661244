import BatonPostgres
import RunnerSQL

/// An object of the schema, with its definition in the catalog and the definition that the last
/// migrator recorded.
///
/// Each migrator records only the objects that it changed itself. If another session changed an
/// object, the current definition differs from the recorded one until a migrator or an operator
/// restores the object.
struct ObjectDefinition: Sendable {
  /// The kind, table and name that identify an object in a schema.
  struct Place: Sendable, Hashable {
    let kind: String
    /// The object's table, or an empty string.
    let relation: String
    let name: String
  }

  let place: Place
  /// The definition in the catalog, or nil if the object does not exist.
  let present: String?
  /// The recorded definition, or nil if the object is new.
  let recorded: String?

  /// Whether the object's definition differs from the recorded one.
  ///
  /// After a restore from a dump, PostgreSQL can print a definition with fewer parentheses. A
  /// definition that differs only in redundant parentheses counts as unchanged.
  var isChanged: Bool { DefinitionText.differ(present, recorded) }
  /// Whether this value describes the PostgreSQL server, instead of an object in the schema.
  ///
  /// The server's definition is its major version.
  var isServer: Bool { place.kind == "server" }
  /// Whether this value describes the schema's name, which is recorded only as part of other
  /// definitions.
  var isSchema: Bool { place.kind == "schema" }
  /// Whether this value describes the schema's name, and the schema was renamed after its
  /// definitions were recorded.
  var isRenamed: Bool { isSchema && isChanged && recorded != nil }
  /// The object's name without parameters, as in the records of functions, views and triggers.
  var plainName: String { String(place.name.prefix { $0 != "(" }) }

  /// Returns the definitions of all objects, or nil if the schema has no table for recorded
  /// definitions yet.
  ///
  /// The locks that PostgreSQL takes while it prints the definitions are released before the method
  /// returns.
  ///
  /// - Parameter table: the table whose triggers are returned, or nil for all objects.
  static func list(
    triggersOf table: String? = nil, in transaction: Transaction
  ) async throws -> [ObjectDefinition]? {
    guard try await transaction.run(.row(SQL.Migrator.hasDefinitions, as: Bool.self)) else {
      return nil
    }
    try await transaction.script(SQL.Migrator.beginReading)
    let list = Call<[ObjectDefinition]>.rows(SQL.Migrator.listDefinitions, table) {
      (row) throws(PostgresError) in
      let (kind, relation, name, present, recorded) = try row.decode(
        String.self, String.self, String.self, String?.self, String?.self)
      return ObjectDefinition(
        place: Place(kind: kind, relation: relation, name: name), present: present,
        recorded: recorded)
    }
    let found = try await transaction.run(list)
    try await transaction.script(SQL.Migrator.endReading)
    return found
  }

  /// Records the definitions of the objects that this migrator changed.
  ///
  /// An object that another session has changed is not recorded. If the migrator recorded an object
  /// that another session changed, the record would hide that change. If no record exists, or if
  /// the record is from another PostgreSQL version or from the schema's earlier name, all objects
  /// are recorded.
  ///
  /// - Parameter before: the definitions at the beginning of the transaction, or nil if there was
  ///   no record.
  static func record(
    since before: [ObjectDefinition]?, in transaction: Transaction
  ) async throws {
    guard let after = try await list(in: transaction) else { return }
    let isNew = before.lacksRecord
    let old = Dictionary(
      uniqueKeysWithValues: (before ?? []).map { ($0.place, $0.present) })
    try await record(
      after.filter {
        $0.isChanged && !$0.isSchema && (isNew || old[$0.place] ?? nil != $0.present)
      },
      in: transaction)
  }

  /// Records the triggers that this migrator created or dropped on a table in the transaction.
  ///
  /// If the transaction did not record its triggers, another migrator would recreate them.
  static func record(
    triggers names: [String], of table: String, in transaction: Transaction
  ) async throws {
    guard let found = try await list(triggersOf: table, in: transaction) else { return }
    try await record(
      found.filter { $0.isChanged && names.contains($0.plainName) }, in: transaction)
  }

  private static func record(
    _ changed: [ObjectDefinition], in transaction: Transaction
  ) async throws {
    guard !changed.isEmpty else { return }
    try await transaction.run(
      .run(
        SQL.Migrator.recordDefinitions, changed.map(\.place.kind), changed.map(\.place.relation),
        changed.map(\.place.name), changed.map(\.present)))
  }
}

extension [ObjectDefinition]? {
  /// Whether the schema has no record of definitions from this PostgreSQL version and the schema's
  /// present name.
  var lacksRecord: Bool {
    guard let server = self?.first(where: \.isServer), !server.isChanged else { return true }
    return self?.contains(where: \.isRenamed) ?? true
  }
}

extension Migrator {
  /// Makes the migrator recreate the functions, views and triggers that another session changed.
  ///
  /// - Returns: the current definitions, or nil if the schema has no record of definitions yet.
  func forgetChanged(in transaction: Transaction) async throws -> [ObjectDefinition]? {
    guard let present = try await ObjectDefinition.list(in: transaction) else { return nil }
    let own = try await ownParts(in: transaction).flatMap(\.objects)
    let names = Set(own.map { "\($0.kind) \($0.name)" })
    let changed =
      present.filter(\.isChanged).map { (kind: $0.place.kind, name: $0.plainName) }
      + (try await functionDifferences(in: transaction).map { (kind: "function", name: $0.name) })
    let forgotten = changed.filter { names.contains("\($0.kind) \($0.name)") }
    guard !forgotten.isEmpty else { return present }
    try await transaction.run(
      .run(SQL.Migrator.forgetObjects, forgotten.map(\.kind), forgotten.map(\.name)))
    return present
  }

  /// Returns the parts of this program, except those that a newer program migrated.
  func ownParts(in transaction: Transaction) async throws -> [SchemaPart] {
    let parts = try await transaction.run(state.listParts)
    let newer = state.newerVersions(parts)
    return state.parts.filter { !newer.contains($0.name) }
  }
}
