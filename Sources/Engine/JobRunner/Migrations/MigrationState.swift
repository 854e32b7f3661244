import BatonPostgres
import RunnerSQL

/// A schema's records about its migrations, functions, views and triggers.
struct MigrationState {
  /// A migration of this binary that has not been applied yet.
  struct Pending {
    let part: String
    let migration: Statement
    /// The name `part/name`, which users see.
    var name: String { "\(part)/\(migration.fileName)" }
    /// Whether the migration can run in a transaction.
    ///
    /// The value is false for migrations that contain statements such as
    /// `create index concurrently`.
    var isTransactional: Bool {
      !migration.text.split(separator: "\n").prefix { $0.hasPrefix("--") }
        .contains { $0.hasPrefix("-- Outside of a transaction.") }
    }
  }

  /// A function, view or trigger that the schema lacks or that differs from the version in this
  /// binary.
  struct Changed {
    let part: String
    let kind: SchemaObject.Kind
    let name: String
    let table: String
    /// The object in this binary, or nil if this binary no longer contains it.
    let object: SchemaObject?
  }

  private let schema: Schema
  let parts: [SchemaPart]
  private var names: [String] { parts.map(\.name) }

  init(_ schema: Schema, _ parts: [SchemaPart]) {
    self.schema = schema
    self.parts = parts
  }

  // MARK: Queries

  var listMigrations: Call<[Listed]> {
    let own = parts.flatMap { part in part.migrations.map { (part.name, $0) } }
    return .rows(
      SQL.Migrator.listMigrations, names, own.map(\.0), own.map(\.1.fileName), own.map(\.1.text)
    ) { (row) throws(PostgresError) in
      let (part, name, applied, own, isCompatible, program, release) = try row.decode(
        String.self, String.self, String?.self, String?.self, Bool.self, String?.self,
        Int32?.self)
      return Listed(
        part: part, name: name, applied: applied, own: own, isCompatible: isCompatible,
        release: release.flatMap { number in program.map { "release \(number) of \($0)" } })
    }
  }

  var listParts: Call<[(name: String, version: Int)]> {
    .rows(SQL.Migrator.listParts) { (row) throws(PostgresError) in
      let (name, version) = try row.decode(String.self, Int32.self)
      return (name, Int(version))
    }
  }

  /// Lists the functions, views and triggers that the migrator must create, replace or drop.
  ///
  /// Objects of the parts in `newer` are not listed, because the schema contains newer versions of
  /// them.
  func listObjects(besides newer: [String]) -> Call<[Changed]> {
    let parts = parts.filter { !newer.contains($0.name) }
    let own = parts.flatMap { part in part.objects.map { (part.name, $0) } }
    return .rows(
      SQL.Migrator.listObjects, parts.map(\.name), own.map(\.0), own.map(\.1.kind.rawValue),
      own.map(\.1.name), own.map(\.1.table), own.map(\.1.statement.text)
    ) { (row) throws(PostgresError) in
      let (part, kindName, name, table, isOwn) = try row.decode(
        String.self, String.self, String.self, String.self, Bool.self)
      guard let kind = SchemaObject.Kind(rawValue: kindName) else {
        throw PostgresError(.dataException, "schema_object holds a '\(kindName)'")
      }
      let object = own.first { $0.1.kind == kind && $0.1.name == name }?.1
      return Changed(
        part: part, kind: kind, name: name, table: table, object: isOwn ? object : nil)
    }
  }

  // MARK: Conclusions

  /// A migration that the schema or this binary contains.
  struct Listed: Sendable {
    let part: String
    let name: String
    let applied: String?
    let own: String?
    /// Whether programs that lack the migration can work on a schema that contains it.
    let isCompatible: Bool
    /// The program and release that applied the migration, or nil if they are unknown.
    let release: String?
  }

  /// Returns the migrations that have not been applied yet, sorted by schema part, and then from
  /// oldest to newest.
  ///
  /// - Throws: ``SchemaProblem/newer(_:unknown:needed:)`` if this binary lacks an applied migration
  ///   that is incompatible with this binary. ``SchemaProblem/edited(_:name:)`` if a migration's
  ///   text was changed after it was applied.
  func pending(_ listed: [Listed]) throws(SchemaProblem) -> [Pending] {
    let unknown = listed.filter { $0.own == nil && !$0.isCompatible }
    if let first = unknown.first {
      throw .newer(
        schema, unknown: "\(first.part)/\(first.name)",
        needed: unknown.last { $0.release != nil }?.release)
    }
    let known = listed.filter { $0.own != nil }
    if let edited = known.first(where: { $0.applied != nil && $0.applied != $0.own }) {
      throw .edited(schema, name: "\(edited.part)/\(edited.name)")
    }
    return listed.filter { $0.applied == nil }.compactMap { missing in
      parts.first { $0.name == missing.part }?.migrations
        .first { $0.fileName == missing.name }
        .map { Pending(part: missing.part, migration: $0) }
    }
  }

  /// Returns the parts with a higher version in the schema than in this binary.
  func newerVersions(_ there: [(name: String, version: Int)]) -> [String] {
    parts.filter { part in there.contains { $0.name == part.name && $0.version > part.version } }
      .map(\.name)
  }

  /// Returns the parts that are incomplete in the schema, or have a lower version than in this
  /// binary.
  func olderVersions(_ there: [(name: String, version: Int)]) -> [SchemaPart] {
    parts.filter { part in
      !there.contains { $0.name == part.name && $0.version >= part.version }
        && !part.objects.isEmpty
    }
  }

  /// Returns the parts of the schema that this binary does not contain.
  func unknownParts(_ there: [(name: String, version: Int)]) -> [String] {
    there.map(\.name).filter { !names.contains($0) }
  }

  /// Returns the API functions, except the functions of the parts in `newer`.
  func api(besides newer: [String]) -> [String] {
    parts.filter { !newer.contains($0.name) }.flatMap(\.api)
  }

  /// Returns the objects in the order in which this binary creates them.
  ///
  /// The order of the objects matters because views may depend on each other.
  func inOrder(_ changed: [Changed]) -> [Changed] {
    parts.flatMap(\.objects).compactMap { object in
      changed.first { $0.object != nil && $0.kind == object.kind && $0.name == object.name }
    }
  }

  /// Checks that no two parts own the same object, and that each function of an API exists.
  ///
  /// - Throws: ``SchemaProblem/taken(_:object:)`` if two parts contain the same object.
  ///   ``SchemaProblem/noFunction(_:part:name:)`` if no part contains a function of an API.
  func requireOneOwner() throws(SchemaProblem) {
    var seen: Set<String> = []
    for object in parts.flatMap(\.objects) {
      let name = "\(object.kind) \(object.name)"
      if !seen.insert(name).inserted { throw .taken(schema, object: name) }
    }
    for part in parts {
      if let missing = part.api.first(where: { !seen.contains("function \($0)") }) {
        throw .noFunction(schema, part: part.name, name: missing)
      }
    }
  }
}

extension Statement {
  /// The file name, excluding the folder.
  var fileName: String { String(name.split(separator: "/").last ?? "") }
}
