import BatonPostgres
import RunnerSQL

/// The schema's own records: which migrations, functions, views and triggers it holds.
struct MigrationState {
  /// One migration of this binary that is not applied yet.
  struct Pending {
    let part: String
    let migration: Statement
    /// `part/name`, the form that people see.
    var name: String { "\(part)/\(migration.fileName)" }
    /// False for statements that cannot run in a transaction, such as `create index concurrently`.
    var isTransactional: Bool {
      !migration.text.split(separator: "\n").prefix { $0.hasPrefix("--") }
        .contains { $0.hasPrefix("-- Outside of a transaction.") }
    }
  }

  /// A function, view or trigger that is missing or differs from this binary's version.
  struct Changed {
    let part: String
    let kind: SchemaObject.Kind
    let name: String
    let table: String
    /// Nil if this binary no longer has it.
    let object: SchemaObject?
  }

  private let schema: Schema
  let parts: [SchemaPart]
  private var names: [String] { parts.map(\.name) }

  init(_ schema: Schema, _ parts: [SchemaPart]) {
    self.schema = schema
    self.parts = parts
  }

  // MARK: What is asked

  var listMigrations: Call<[Listed]> {
    let own = parts.flatMap { part in part.migrations.map { (part.name, $0) } }
    return .rows(
      SQL.Migrator.listMigrations, names, own.map(\.0), own.map(\.1.fileName), own.map(\.1.text)
    ) { (row) throws(PostgresError) in
      let (part, name, applied, own) = try row.decode(
        String.self, String.self, String?.self, String?.self)
      return Listed(part: part, name: name, applied: applied, own: own)
    }
  }

  var listParts: Call<[(name: String, version: Int)]> {
    .rows(SQL.Migrator.listParts) { (row) throws(PostgresError) in
      let (name, version) = try row.decode(String.self, Int32.self)
      return (name, Int(version))
    }
  }

  /// Lists the changed objects; objects of parts with a newer version in the schema are not listed and stay.
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

  // MARK: What follows from it

  /// A migration that is applied, that this binary has, or both.
  struct Listed: Sendable {
    let part: String
    let name: String
    let applied: String?
    let own: String?
  }

  /// The migrations that are not applied yet, oldest first, in the order of the parts.
  func pending(_ listed: [Listed]) throws(SchemaProblem) -> [Pending] {
    if let unknown = listed.first(where: { $0.own == nil }) {
      throw .newer(schema, unknown: "\(unknown.part)/\(unknown.name)")
    }
    if let edited = listed.first(where: { $0.applied != nil && $0.applied != $0.own }) {
      throw .edited(schema, name: "\(edited.part)/\(edited.name)")
    }
    return listed.filter { $0.applied == nil }.compactMap { missing in
      parts.first { $0.name == missing.part }?.migrations
        .first { $0.fileName == missing.name }
        .map { Pending(part: missing.part, migration: $0) }
    }
  }

  /// Parts whose version in the schema is higher than that of this binary.
  func newerVersions(_ there: [(name: String, version: Int)]) -> [String] {
    parts.filter { part in there.contains { $0.name == part.name && $0.version > part.version } }
      .map(\.name)
  }

  /// Parts whose version in the schema is lower, or which are not complete.
  func olderVersions(_ there: [(name: String, version: Int)]) -> [SchemaPart] {
    parts.filter { part in
      !there.contains { $0.name == part.name && $0.version >= part.version }
        && !part.objects.isEmpty
    }
  }

  /// Parts of the schema that this binary does not know.
  func unknownParts(_ there: [(name: String, version: Int)]) -> [String] {
    there.map(\.name).filter { !names.contains($0) }
  }

  /// The functions of the API, without those of parts that have a newer version in the schema.
  func api(besides newer: [String]) -> [String] {
    parts.filter { !newer.contains($0.name) }.flatMap(\.api)
  }

  /// Returns the objects in the order in which this binary makes them, because views may need each other.
  func inOrder(_ changed: [Changed]) -> [Changed] {
    parts.flatMap(\.objects).compactMap { object in
      changed.first { $0.object != nil && $0.kind == object.kind && $0.name == object.name }
    }
  }

  /// - Throws: ``SchemaProblem/taken(_:object:)`` if two parts have the same object,
  ///   ``SchemaProblem/noFunction(_:part:name:)`` if no part has a function of an API.
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
  /// The file's name without its folder.
  var fileName: String { String(name.split(separator: "/").last ?? "") }
}
