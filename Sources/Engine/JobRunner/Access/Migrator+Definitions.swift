import BatonPostgres

extension Migrator {
  /// Compares the schema's objects with the definitions in this program and with the recorded
  /// definitions.
  ///
  /// The program contains the bodies of the schema's functions. The comparison with the program
  /// detects a changed function even if a session has also changed its recorded definition.
  func definitionFaults(in transaction: Transaction) async throws -> [AccessFault] {
    let functions = try await functionDifferences(in: transaction)
    guard let found = try await ObjectDefinition.list(in: transaction) else { return [] }
    let place = "schema \(schema)"
    let ofFunctions = functions.map {
      AccessFault(
        isFault: true, what: "the function \($0.name) is not this program's: \($0.differences)",
        place: place, fix: "migrate")
    }
    if let server = found.first(where: \.isServer), server.isChanged {
      let version = server.recorded.map { "PostgreSQL \($0)" } ?? "no version of PostgreSQL"
      return ofFunctions + [
        AccessFault(
          isFault: true,
          what: "the definitions of the objects were recorded on \(version), and not on this one",
          place: place, fix: "migrate")
      ]
    }
    if let name = found.first(where: \.isRenamed)?.recorded {
      return ofFunctions + [
        AccessFault(
          isFault: true,
          what: "the definitions of the objects were recorded when the schema's name was \(name)",
          place: place, fix: "migrate")
      ]
    }
    let known = Set(functions.map { "function \($0.name)" })
    let own = Set(
      try await ownParts(in: transaction).flatMap(\.objects).map { "\($0.kind) \($0.name)" })
    let newTables = Set(
      found.filter { $0.isNew && $0.place.kind == "table" }.map(\.place.name))
    let copies = found.copies
    return ofFunctions
      + found.filter { $0.isChanged && !$0.isSchema && !copies.contains($0.place) }
      .filter { $0.recorded == nil || !known.contains("\($0.place.kind) \($0.plainName)") }
      .filter { !$0.isPart(of: newTables) }
      .map { fault($0, isOwn: own.contains("\($0.place.kind) \($0.plainName)")) }
  }

  private func fault(_ object: ObjectDefinition, isOwn: Bool) -> AccessFault {
    let place = object.place
    let name = place.name.isEmpty ? place.kind : "\(place.kind) \(place.name)"
    return AccessFault(
      // An additional table or index is not a fault, because it does not affect Baton's own
      // objects.
      isFault: !object.isNew
        || !["index", "table", "view", "sequence", "type"].contains(place.kind),
      what: "the \(name) \(object.difference)",
      place: place.relation.isEmpty ? "schema \(schema)" : "\(place.relation) in schema \(schema)",
      fix: isOwn && !object.isNew ? "migrate" : object.repair(in: schema))
  }
}

extension Schema {
  /// Returns statements that name the schema's objects without the schema, for a session with any
  /// `search_path`.
  func entering(_ statements: String) -> String {
    "set search_path to \(self), pg_temp; \(statements)"
  }
}

extension [ObjectDefinition] {
  /// The changed columns, constraints and triggers that PostgreSQL copied from a partitioned table
  /// to its partitions.
  ///
  /// PostgreSQL copies a partitioned table's columns, constraints and triggers to all of its
  /// partitions. The statement that repairs the partitioned table also repairs its partitions.
  fileprivate var copies: Set<ObjectDefinition.Place> {
    let tables = filter { $0.place.kind == "table" }.map { ($0.place.name, $0.parent) }
    let parents = Dictionary(uniqueKeysWithValues: tables)
    let changes = Dictionary(
      uniqueKeysWithValues: filter(\.isChanged).map { ($0.place, $0.change) })
    let copies = changes.filter { place, change in
      guard let parent = parents[place.relation] ?? nil else { return false }
      let original = ObjectDefinition.Place(kind: place.kind, relation: parent, name: place.name)
      return changes[original] == change
    }
    return Set(copies.keys)
  }
}

extension ObjectDefinition {
  fileprivate enum Change { case new, changed, gone }

  fileprivate var change: Change {
    present == nil ? .gone : isNew ? .new : .changed
  }

  /// The table of which this table is a partition, or nil.
  fileprivate var parent: String? {
    guard let definition = present ?? recorded,
      let start = definition.firstRange(of: "child of ")?.upperBound,
      let end = definition[start...].firstRange(of: " FOR VALUES ")?.lowerBound
    else { return nil }
    return String(definition[start..<end])
  }

  fileprivate var isNew: Bool { recorded == nil }

  /// Whether the object is part of a new table.
  ///
  /// A new table and all its parts are reported as one finding.
  fileprivate func isPart(of newTables: Set<String>) -> Bool {
    isNew && newTables.contains(place.relation)
      && ["column", "default", "constraint", "index"].contains(place.kind)
  }

  private var isHash: Bool { ["function", "view"].contains(place.kind) }

  fileprivate var difference: String {
    switch (recorded, present) {
    case (nil, let present?):
      isHash ? "is not known to any migration" : "is not known to any migration: \(present)"
    case (let recorded?, nil): isHash ? "is gone" : "is gone: it was: \(recorded)"
    case (let recorded, let present):
      isHash
        ? "has another definition than migrate left"
        : "is: \(present ?? ""); migrate left: \(recorded ?? "")"
    }
  }

  /// Returns the statements that remove a new object, or restore a changed or dropped object.
  ///
  /// Only a migration can restore some objects. For such an object, the method returns an
  /// instruction.
  fileprivate func repair(in schema: Schema) -> String {
    statements.map(schema.entering)
      ?? "create the \(place.kind) \(place.name) as its migration does"
  }

  private var statements: String? {
    let (table, name) = (place.relation, place.name)
    switch place.kind {
    case "column":
      guard let recorded else { return "alter table \(table) drop column \(name)" }
      guard let present else { return "alter table \(table) add column \(name) \(recorded)" }
      let (was, isNow) = (Self.column(recorded), Self.column(present))
      let changes =
        (was.type == isNow.type ? [] : ["type \(was.type)"])
        + (was.isRequired == isNow.isRequired
          ? [] : ["\(was.isRequired ? "set" : "drop") not null"])
      return "alter table \(table) "
        + changes.map { "alter column \(name) \($0)" }.joined(separator: ", ")
    case "default":
      return "alter table \(table) alter column \(name) "
        + (recorded.map { "set default \($0)" } ?? "drop default")
    case "constraint": return changed("table \(table)", "constraint \(name)")
    case "domain constraint": return changed("domain \(table)", "constraint \(name)")
    case "foreign keys": return "alter table \(table) enable trigger all"
    case "child": return "alter table \(name) no inherit \(table)"
    case "trigger", "rule": return "drop \(place.kind) \(name) on \(table)"
    case "index":
      return recorded.map { "drop index if exists \(name); \($0)" } ?? "drop index \(name)"
    default: return recorded == nil ? "drop \(place.kind) \(name)" : nil
    }
  }

  private static func column(_ definition: String) -> (type: String, isRequired: Bool) {
    let isRequired = definition.hasSuffix(" not null")
    return (isRequired ? String(definition.dropLast(9)) : definition, isRequired)
  }

  /// Returns the statements that restore the recorded definition of a constraint.
  ///
  /// If the constraint exists, it is dropped first. If no definition is recorded, the constraint is
  /// only dropped.
  private func changed(_ object: String, _ part: String) -> String {
    let drop = present == nil ? [] : ["alter \(object) drop \(part)"]
    let add = recorded.map { ["alter \(object) add \(part) \($0)"] } ?? []
    return (drop + add).joined(separator: "; ")
  }
}
